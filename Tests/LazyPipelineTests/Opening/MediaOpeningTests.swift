import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import LazyRenditions
import Support
import Testing

/// From an address to frames, for every kind of address, use and trust.
@Suite struct MediaOpeningTests {
    typealias Kind = OpeningRig.Kind
    typealias Trust = MediaOpening.Trust
    typealias Use = MediaOpening.Wanted.Use

    private static let origins: [Trust.Origin] = Trust.Origin.allCases

    @Test(arguments: Kind.allCases, origins)
    func `limits and the place of decoding follow from trust and source`(
        kind: Kind, origin: Trust.Origin
    ) async throws {
        let rig = try OpeningRig()
        let opened = try await rig.opening().open(
            rig.source(kind), for: .init(.facts), trust: .init(origin))
        let isFile = kind.isFile
        let place: MediaOpening.Place =
            switch origin {
            case .own: isFile ? .here : .isolated
            case .stranger: .isolated
            case .untrusted: .untrusted
            }
        let limits: DecodingLimits =
            switch origin {
            case .own: isFile ? .local : .web
            case .stranger: .web
            case .untrusted: .untrusted
            }
        #expect(opened.frames.limits == limits)
        let looks = rig.takeLooks()
        #expect(!looks.isEmpty)
        for look in looks {
            #expect(look.place == place)
            // The segments of a stream share the time of opening.
            #expect(kind == .playlist || look.limits == limits)
        }
    }

    /// Isolation, many, a shared decoder; where a file is decoded, and what comes from elsewhere.
    @Test(arguments: [
        (Trust.Isolation.auto, false, false, MediaOpening.Place.here, MediaOpening.Place.isolated),
        (.auto, true, false, .pooled, .pooled), (.auto, false, true, .isolated, .isolated),
        (.always, false, false, .isolated, .isolated), (.always, true, false, .pooled, .pooled),
        (.never, false, false, .here, .here), (.never, true, true, .here, .here),
    ])
    func `isolation follows from its choice, the number of files and a shared decoder`(
        isolation: Trust.Isolation, many: Bool, isShared: Bool, file: MediaOpening.Place,
        other: MediaOpening.Place
    ) throws {
        let opening = try OpeningRig().opening(hasSharedDecoder: isShared)
        for origin in Self.origins {
            let trust = Trust(origin, isolation: isolation, opensMany: many)
            for isFile in [true, false] {
                var place = isFile && origin == .own ? file : other
                if origin == .untrusted, place != .here { place = .untrusted }
                #expect(opening.place(for: trust, isFile: isFile) == place, "\(origin) \(isFile)")
            }
        }
    }

    @Test(
        arguments: Kind.allCases,
        [Use.facts, .picture(.first), .samples, .playing, .everything, .all, .bytes])
    func `every use of every source has the same frames`(kind: Kind, use: Use) async throws {
        // A playlist that is not followed is no media, and a list has no bytes.
        guard use != .bytes || kind != .playlist else { return }
        let rig = try OpeningRig()
        let opened = try await rig.opening().open(
            rig.source(kind), for: .init(use), trust: .init(.own))
        let name = kind == .playlist ? "h264.ts" : "clip.mp4"
        let own = try FrameSequence(
            DecoderRegistry(formats: rig.formats).open(Media.bytes(name)))
        let count = try await own.frameIndex().count
        // What has not ended may be opened by its beginning.
        let isPart =
            switch use {
            case .facts, .picture, .playing, .everything:
                [.pipe, .namedPipe, .growing].contains(kind)
            default: false
            }
        #expect(!opened.isUnending || isPart)
        if !opened.isUnending {
            let found = try await opened.frames.frameIndex().count
            #expect(found == (kind == .list ? 2 * count : count))
        }
        #expect(
            try await opened.frames.poster(.first).bitmap == own.poster(.first).bitmap)
        #expect((opened.bytes != nil) == (use == .bytes && kind != .list))
        if kind.hasLength, !opened.isUnending { #expect(opened.byteCount == rig.byteCount) }
    }

    /// Source and use, the origin of the transfer, and the share of the bytes that opening loads.
    @Test(arguments: [
        (Kind.ranges, Use.facts, "ranges", 0.2), (.ranges, .picture(.first), "ranges", 0.2),
        (.ranges, .playing, "ranges", 0.5), (.ranges, .everything, "network", 1),
        (.ranges, .all, "network", 1), (.ranges, .bytes, "network", 1),
        (.url, .facts, "network", 1), (.url, .all, "network", 1), (.url, .everything, "network", 1),
        (.url, .playing, "network", 1), (.arriving, .facts, "network", 1),
        (.growing, .all, "network", 1),
    ])
    func `a transfer says what was loaded`(
        kind: Kind, use: Use, origin: String, share: Double
    ) async throws {
        let rig = try OpeningRig()
        let opened = try await rig.opening().open(
            rig.source(kind), for: .init(use), trust: .init(.stranger))
        let transfer = try #require(opened.transfer)
        #expect(transfer.origin == origin)
        #expect(transfer.byteCount > 0)
        #expect(Double(transfer.byteCount) <= share * Double(rig.byteCount))
        #expect(kind == .growing || transfer.total == rig.byteCount)
        #expect(transfer.head != nil)
    }

    @Test(arguments: Kind.allCases.filter { $0.isFile || $0 == .bytes || $0 == .pipe })
    func `what is on this machine has no transfer`(kind: Kind) async throws {
        let rig = try OpeningRig()
        let opened = try await rig.opening().open(
            rig.source(kind), for: .init(.facts), trust: .init(.own))
        #expect(opened.transfer == nil)
    }

    @Test(arguments: [Kind.url, .ranges, .arriving])
    func `events tell types and the bytes of downloads`(kind: Kind) async throws {
        let rig = try OpeningRig()
        let types = Locked<Set<MediaType>>([])
        let most = Locked(0)
        let events = MediaOpening.Events(
            progress: { received, _ in most.withLock { $0 = max($0, received) } },
            willDecode: { type in types.withLock { _ = $0.insert(type) } })
        let opened = try await rig.opening().open(
            rig.source(kind), for: .init(.all), trust: .init(.own), events: events)
        _ = try await opened.frames.frameIndex()
        #expect(types.withLock { $0 } == [.mp4])
        // What arrives by itself does so beside the reader.
        while most.withLock({ $0 }) != rig.byteCount { await Task.yield() }
    }

    /// The first of a URL's bytes are those that a limit of one request allows.
    @Test func `a request's limit of bytes counts what is read by ranges`() async throws {
        let rig = try OpeningRig()
        guard case .request(var request) = try rig.source(.ranges) else { return }
        request.loadRequest?.maximumBytes = 400_000
        let opened = try await rig.opening().open(
            .request(request), for: .init(.facts), trust: .init(.own))
        #expect(opened.byteCount == rig.byteCount)
        await #expect(throws: PipelineError.self) {
            _ = try await rig.opening().open(
                .request(request), for: .init(.all), trust: .init(.own))
        }
    }

    /// A source, and the name and code of its error.
    @Test(arguments: [
        ("/none/none.mp4", "environment"), ("/", "environment"), ("/proc/version", "unsupported"),
    ])
    func `a path that cannot be opened is an error of decoding`(
        path: String, code: String
    ) async throws {
        let opening = try OpeningRig().opening()
        await #expect {
            _ = try await opening.open(.path(path), for: .init(.facts), trust: .init(.own))
        } throws: { error in
            guard case .decodingFailed(let error, _)? = error as? PipelineError else {
                return false
            }
            return error.code.rawValue == code
        }
    }

    @Test(arguments: [true, false])
    func `opening ends with its task and with its flag`(byTask: Bool) async throws {
        let rig = try OpeningRig()
        let opening = rig.opening()
        let (gate, flag) = (Gate(), CancellationFlag())
        let body = LoadBody { () async throws(LoadingError) in
            await gate.pass()
            return nil
        }
        let head = ResponseHead(url: Given.url(), expectedCount: 1 << 20, origin: .network)
        let task = Task {
            do throws(PipelineError) {
                _ = try await opening.open(
                    .arriving(LoadResponse(head: head, body: body)), for: .init(.facts),
                    trust: .init(.own), cancellation: flag)
                return "opened"
            } catch {
                return error.name
            }
        }
        await gate.waitForArrivals(1)
        if byTask { task.cancel() } else { flag.cancel() }
        #expect(await task.value == "cancelled")
        gate.open()
    }

    @Test func `trust alone decides by which pipeline a URL is loaded`() async throws {
        let rig = try OpeningRig()
        let made = Locked(0)
        let opening = rig.opening { configuration in
            let pipeline = configuration.pipeline
            configuration.pipeline = {
                made.withLock { $0 += 1 }
                return pipeline()
            }
        }
        for origin in [Trust.Origin.own, .untrusted, .own] {
            let opened = try await opening.open(
                rig.source(.url), for: .init(.all), trust: .init(origin))
            #expect(opened.frames.limits == (origin == .own ? .web : .untrusted))
        }
        #expect(made.withLock { $0 } == 1)
        #expect(rig.takeLooks().map(\.place) == [.isolated, .untrusted, .isolated])
    }
}
