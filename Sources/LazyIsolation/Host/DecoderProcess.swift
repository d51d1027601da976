internal import CSandbox
internal import Glibc
internal import LazyBase
internal import LazyMedia

/// A forked decoder: its channel, and the lease that keeps it alive and tells how it ended.
final class DecoderProcess: Sendable {
    let channel: Channel
    /// What it was forked from stays as long as it does.
    private let server: DecoderServer
    private let lease: Locked<FileDescriptor?>

    init(channel: Channel, lease: FileDescriptor, server: DecoderServer) {
        self.channel = channel
        self.lease = Locked(lease)
        self.server = server
    }

    /// Of the program that forked it.
    var family: DecoderFamily { server.family }

    /// What is known of the end of a decoder.
    enum Ending {
        /// The program that forked it tells.
        case told(End)
        /// That program has ended, too, which takes all its decoders along.
        case withItsProgram
    }

    /// How a decoder ended.
    struct End {
        let status: CInt
        /// The most resident memory in bytes.
        let memory: Int64
        let error: CInt

        /// The signal that killed it, or nil.
        var signal: CInt? { status >= 0 && status & 0x7F != 0 ? status & 0x7F : nil }
    }

    /// Kills the process; it is gone some milliseconds later.
    func end() {
        lease.withLock { $0 = nil }
        channel.shutDown()
    }

    /// How it ended, or nil where nobody tells within two seconds.
    func ending() -> Ending? {
        guard let lease = lease.withLock({ $0 }) else { return nil }
        guard (try? pollfd.wait(for: lease.number, until: .now + .seconds(2))) != nil else {
            return nil
        }
        var end = sandbox_end()
        var count: CInt = 0
        let size = MemoryLayout<sandbox_end>.size
        let got = sandbox_receive(lease.number, &end, size, nil, 0, &count)
        if got == 0 { return .withItsProgram }
        guard got == size, end.magic == UInt32(sandbox_magic) else { return nil }
        return .told(End(status: end.status, memory: end.memory << 10, error: end.error))
    }

    /// Waits until the decoder is in its sandbox, and returns the layers; cancellation ends the wait.
    ///
    /// Throws `.environment` where a layer that the policy requires is missing, or the process did not start.
    func ready(
        _ policy: IsolationPolicy, deadline: ContinuousClock.Instant,
        _ cancellation: CancellationFlag = CancellationFlag()
    ) throws(MediaError) -> IsolationReport {
        let id = cancellation.onCancel { [channel] in channel.shutDown() }
        defer { cancellation.forget(id) }
        do throws(ChannelError) {
            try pollfd.wait(for: channel.descriptor, until: deadline)
        } catch {
            server.didFail()
            throw MediaError(.timedOut, "The program \(server.path) does not answer.")
        }
        var ready = sandbox_ready()
        var count: CInt = 0
        let size = MemoryLayout<sandbox_ready>.size
        guard sandbox_receive(channel.descriptor, &ready, size, nil, 0, &count) == size,
            ready.report.magic == UInt32(sandbox_magic)
        else {
            try cancellation.check()
            if case .withItsProgram? = ending(), server.hasServed { throw .decoderKilled }
            server.didFail()
            throw MediaError(
                .environment,
                "The program \(server.path), which decodes in a process of its own, ended before it was ready."
            )
        }
        guard ready.is_other_build == 0 else {
            throw MediaError(
                .environment,
                "The program \(server.path), which decodes in a process of its own, is of another version."
            )
        }
        server.didServe()
        let report = IsolationReport(ready.report, program: server.path)
        let missing = policy.required.subtracting(report.present)
        guard missing.isEmpty else {
            let names = missing.map(\.summary).sorted().joined(separator: ", ")
            throw MediaError(
                .environment,
                "Media is not decoded, because its decoder cannot be isolated here: \(names) is missing."
            )
        }
        return report
    }
}
