import Glibc
import LazyBase
import LazyIsolation
import LazyKit
import LazyMedia
import Support
import Testing

@Suite(.ownThreads, .enabled(if: !Sanitizer.isLinked))
struct FaultTests {
    @Test(arguments: ["crash", "abort", "leave"])
    func `A crash is one error, and the next media is decoded`(_ command: String) throws {
        let host = Hosts.hostile()
        for _ in 0..<3 {
            let error = try #require(Hosts.outcome(command, by: host))
            #expect(error.code == .decoderCrashed, "\(error)")
            let error2 = try #require(Hosts.outcome("stat /", by: host))
            #expect(error2.message.hasPrefix("refused"), "\(error2)")
        }
    }

    @Test
    func `A decoder that is silent is ended`() throws {
        let host = Hosts.hostile { $0.answerTime = .milliseconds(300) }
        #expect(Hosts.outcome("silent", by: host)?.code == .timedOut)
        #expect(Hosts.outcome("spin", by: host)?.code == .timedOut)
        // One packet of a message whose rest never comes.
        #expect(Hosts.outcome("send 0101", by: host)?.code == .timedOut)
    }

    @Test
    func `A decoder that asks for bytes forever is ended`() throws {
        let host = Hosts.hostile { $0.answerTime = .seconds(600) }
        let error = try #require(Hosts.outcome("ask", by: host))
        #expect(error.code == .decoderCrashed && error.message.contains("again and again"))
    }

    @Test
    func `A decoder that eats memory exceeds a limit`() throws {
        let limits = DecodingLimits(memory: 20_000_000)
        let host = Hosts.hostile { $0.answerTime = .seconds(60) }
        #expect(Hosts.outcome("eat", by: host, limits: limits)?.code == .limitExceeded)
    }

    /// Each byte of an answer with another value, and answers cut short.
    @Test(arguments: [
        // Unknown kinds, an empty message, a list that is longer than the message.
        "0000", "00FF", "00", "0001FFFFFFFF", "000100000000", "0004000000004000",
        // `done`, `frame`, `index`, `picture` and `needsBytes` where `opened` is due.
        "00030000000000", "0005000000000000", "000600", "000700", "000A00",
        "0008FFFFFFFFFFFFFFFF0000000000000000", "000800000000000000000000020000000000",
        // Times without a frame, and where `opened` is due.
        "000F", "000F00000000",
        // Counts where there is no media yet, and a count below zero.
        "000C0000", "000C01FFFFFFFFFFFFFFFF00",
        // A first byte that is neither the last part nor one of several.
        "0203",
    ])
    func `An answer that makes no sense ends the decoder`(_ answer: String) throws {
        let error = try #require(Hosts.outcome("send \(answer)"))
        #expect(error.code == .decoderCrashed, "\(answer): \(error)")
    }

    @Test(arguments: [1, 8, 60])
    func `Descriptors that nobody asked for end the decoder, and are closed`(_ count: Int) throws {
        let host = Hosts.hostile()
        _ = Hosts.outcome("stat /", by: host)
        let before = Self.openFiles
        for _ in 0..<5 {
            #expect(Hosts.outcome("flood \(count)", by: host)?.code == .decoderCrashed)
        }
        #expect(Self.openFiles <= before + 16)
    }

    private static var openFiles: Int {
        (0..<1024).count { fcntl($0, F_GETFD) >= 0 }
    }

    @Test
    func `A crash between frames is an error of that call and of those that follow`() async throws {
        let media = try Hosts.open("frames crash", by: Hosts.hostile())
        var count = 0
        await #expect(throws: MediaError.self) {
            for try await _ in media.frames(lookAhead: 0) { count += 1 }
        }
        #expect(count <= 3)
        await #expect(throws: MediaError.self) { _ = try await media.frame(0) }
    }

    @Test
    func `Frames that go backwards end the decoder`() throws {
        let host = Hosts.hostile()
        let reader = try Hosts.open("frames backwards", by: host).makeReader(ReaderOptions())
        let before = host.statistics
        #expect(before.started == 1 && before.live == 1 && before.crashed == 0)
        let error = #expect(throws: MediaError.self) { while try reader.nextFrame() != nil {} }
        #expect(error?.code == .decoderCrashed)
        #expect(host.statistics.crashed == 1 && host.statistics.live == 0)
    }

    @Test
    func `A warning that replaces another one arrives`() throws {
        let reader = try Hosts.open("frames warn", by: Hosts.hostile()).makeReader(ReaderOptions())
        while try reader.nextFrame() != nil {}
        #expect(reader.warnings.map(\.message) == ["8 frames are doubtful."])
    }

    @Test
    func `Pixels that a decoder changes later do not change in the host`() throws {
        let reader = try Hosts.open("frames scribble", by: Hosts.hostile()).makeReader(
            ReaderOptions())
        for _ in 0..<8 {
            guard let frame = try reader.nextFrame() else { break }
            let first = frame.bitmap.withBytes { Array($0) }
            for _ in 0..<20 { #expect(frame.bitmap.withBytes { Array($0) } == first) }
        }
    }

    @Test
    func `A program that cannot be started is an error, and tried again later`() throws {
        let host = DecoderHost(IsolationPolicy(program: "/nowhere/lazyimg-decoder"))
        let error = try #require(Hosts.outcome("stat /", by: host))
        #expect(error.code == .environment)
        #expect(error.message.contains("/nowhere/lazyimg-decoder"))
        // The second in a row waits.
        _ = Hosts.outcome("stat /", by: host)
        #expect(Hosts.outcome("stat /", by: host)?.message.contains("not started again") == true)
    }

    @Test
    func `A program that is no decoder is an error`() throws {
        let host = DecoderHost(IsolationPolicy(program: "/bin/true"))
        #expect(Hosts.outcome("stat /", by: host)?.code == .environment)
    }

    @Test
    func `Cancelling ends the wait for a program that never answers`() async throws {
        let program = SilentProgram()
        let host = DecoderHost(IsolationPolicy(program: program.path))
        let flag = CancellationFlag()
        let start = ContinuousClock.now
        async let opening = Hosts.error {
            let registry = DecoderRegistry([AnyMedia()]).isolated(by: host)
            _ = try registry.open(MemoryBytes([0]), as: Hosts.hostileType, cancellation: flag)
        }
        #expect(try await host.startsDecoder())
        flag.cancel()
        let error = await opening as? MediaError
        #expect(error?.code == .cancelled)
        #expect(.now - start < .seconds(60))
        #expect(host.liveDecoders == 0)
    }

    @Test
    func `Cancelling ends a change of a loop that waits for a program`() async throws {
        let program = SilentProgram()
        let host = DecoderHost(IsolationPolicy(program: program.path))
        let bytes = try Media.bytes("counter.gif")
        let rewriter = try #require(DecoderRegistry.standard.isolated(by: host).rewriter(for: .gif))
        let flag = CancellationFlag()
        async let work = Hosts.error {
            try rewriter.rewrite(
                bytes, TimingChange(plays: .times(2)), limits: .local, cancellation: flag
            ) { _ in }
        }
        #expect(try await host.startsDecoder())
        flag.cancel()
        let error = await work as? MediaError
        #expect(error?.code == .cancelled)
        #expect(host.liveDecoders == 0)
    }

    @Test
    func `Signals do not shorten the wait for a program`() throws {
        let program = SilentProgram()
        let old = signal(SIGUSR2) { _ in }
        defer { signal(SIGUSR2, old) }
        let waiting = pthread_self()
        let isOver = Locked(false)
        try DetachedThread.start {
            while !isOver.withLock({ $0 }) {
                pthread_kill(waiting, SIGUSR2)
                usleep(5000)
            }
            isOver.withLock { $0 = false }
        }
        let host = DecoderHost(
            IsolationPolicy(program: program.path, answerTime: .milliseconds(300)))
        let start = ContinuousClock.now
        #expect(Hosts.outcome("stat /", by: host)?.code == .timedOut)
        #expect(.now - start >= .milliseconds(300))
        isOver.withLock { $0 = true }
        while isOver.withLock({ $0 }) { usleep(1000) }
    }

    @Test
    func `A program that never answers ends with its host`() async throws {
        let program = SilentProgram()
        do {
            let host = DecoderHost(
                IsolationPolicy(program: program.path, answerTime: .milliseconds(100)))
            #expect(Hosts.outcome("stat /", by: host)?.code == .timedOut)
        }
        let process = try #require(program.process)
        while kill(process, 0) == 0 { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test
    func `Nothing is left of many media`() throws {
        let host = Hosts.hostile { $0.idleTime = .milliseconds(20) }
        _ = Hosts.outcome("stat /", by: host)
        let before = Self.openFiles
        for number in 0..<100 { _ = Hosts.outcome(number % 10 == 0 ? "crash" : "stat /", by: host) }
        #expect(Self.openFiles <= before + 16)
    }
}
