internal import CSandbox
internal import Glibc
internal import LazyBase
internal import LazyMedia

/// A process that forks decoders; it ends when nobody has a decoder of it, and its host needs no more.
final class DecoderServer: Sendable {
    let path: String
    let family: DecoderFamily
    private let control: Channel
    /// The process to be reaped, or nil for one that another program started.
    private let process: pid_t?
    private let failed = Locked(false)
    private let served = Locked(false)

    /// Starts a program for a family.
    init(path: String, _ family: DecoderFamily) throws(MediaError) {
        self.path = path
        self.family = family
        var ends: [CInt] = [0, 0]
        guard sandbox_pair(&ends) == 0 else {
            throw SystemError.last.mediaError("make", "a connection to a decoder")
        }
        control = Channel(ends[0])
        control.limitSending(to: 30)
        let other = FileDescriptor(ends[1])
        let process = DecoderProgram.spawn(path, family, other.number)
        guard process >= 0 else {
            let error = SystemError.last
            throw MediaError(
                .environment,
                "The program \(path), which decodes in a process of its own, cannot be started: \(error).",
                underlying: error.isLackOfDescriptors ? error : nil)
        }
        self.process = process
    }

    /// Takes over a connection to a program that runs already.
    init(connection: CInt, path: String, _ family: DecoderFamily) {
        self.path = path
        self.family = family
        control = Channel(connection)
        control.limitSending(to: 30)
        process = nil
    }

    deinit {
        guard let process else { return }
        control.shutDown()
        // Nobody needs its decoders any more, and what is no decoder would stay.
        kill(process, SIGKILL)
        // It ends at once; a thread waits for it, so that it leaves no zombie.
        try? DetachedThread.start(blocksSignals: true) {
            var status: CInt = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
    }

    /// Whether it still forks.
    var isAlive: Bool {
        var polled = pollfd(fd: control.descriptor, events: 0, revents: 0)
        return !failed.withLock { $0 } && poll(&polled, 1, 0) == 0
    }

    /// Remembers that it is of no use any more.
    func didFail() { failed.withLock { $0 = true } }

    /// Whether a decoder of it was ready once, so that it is what it should be.
    var hasServed: Bool { served.withLock { $0 } }

    /// Remembers that a decoder of it was ready.
    func didServe() { served.withLock { $0 = true } }

    /// Asks for a decoder; does not wait for it.
    func fork(
        _ type: String, limits: sandbox_limits, required: Set<IsolationLayer>
    ) throws(MediaError) -> DecoderProcess {
        do throws(SystemError) {
            let (channel, decoderChannel) = try Channel.pair()
            let (lease, decoderLease) = try Channel.pair()
            channel.limitSending(to: 30)
            var request = sandbox_request()
            request.magic = UInt32(sandbox_magic)
            request.version = UInt32(sandbox_version)
            request.limits = limits
            request.required = required.bits
            Self.copy(DecoderProgram.build, into: &request.build)
            Self.copy(type, into: &request.type)
            let descriptors = [decoderChannel.descriptor, decoderLease.descriptor]
            guard
                sandbox_send(
                    control.descriptor, &request, MemoryLayout<sandbox_request>.size, descriptors, 2
                )
                    == 0
            else { throw .last }
            let number = fcntl(lease.descriptor, F_DUPFD_CLOEXEC, 0)
            return DecoderProcess(
                channel: channel, lease: try FileDescriptor(checking: number), server: self)
        } catch {
            let failure = error.mediaError("ask for", "a decoder")
            // The program is not to blame.
            if failure.isLackOfDescriptors { throw failure }
            didFail()
            throw hasServed ? .decoderKilled : failure
        }
    }

    /// A text and a zero byte; what is too long is cut.
    private static func copy<Field>(_ text: String, into field: inout Field) {
        withUnsafeMutableBytes(of: &field) { bytes in
            bytes.copyBytes(from: text.utf8.prefix(bytes.count - 1))
        }
    }
}

extension MediaError {
    /// Whether this process, or the system, has too many open files.
    var isLackOfDescriptors: Bool {
        (underlying as? SystemError)?.isLackOfDescriptors ?? false
    }
}

extension SystemError {
    fileprivate var isLackOfDescriptors: Bool { [EMFILE, ENFILE].contains(code) }
}
