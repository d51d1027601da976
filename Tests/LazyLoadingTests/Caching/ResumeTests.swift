import FoundationEssentials
import LazyBase
import LazyLoading
import Support
import Testing

@Suite struct ResumeTests {
    enum End: String, CaseIterable { case dropped, cancelled, reset, truncated }

    private func interrupt(_ rig: CachingRig, _ end: End) async throws {
        switch end {
        case .dropped: try await rig.loadPart()
        case .cancelled:
            let response = try await rig.loader.load(rig.request())
            for _ in 0..<4 { _ = try await response.body.next() }
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await response.body.next()
            }
            #expect(await failure { try await task.value }?.code == .cancelled)
        case .reset:
            rig.origin.change { $0.cutAfter = 4_000 }
            #expect(await failure { try await rig.load() }?.code == .reset)
        case .truncated:
            rig.origin.change { state in
                state.cutAfter = 4_000
                state.edit = { answer, _ in answer.bodyFailure = nil }
            }
            #expect(await failure { try await rig.load() }?.code == .truncated)
        }
        rig.origin.change { $0.cutAfter = nil }
    }

    @Test(arguments: End.allCases) func `the next load continues an interrupted one`(
        end: End
    ) async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60"])
        try await interrupt(rig, end)
        #expect(rig.store.keys.isEmpty)
        // Another loader over the same store, as another process has.
        let other = CachingLoader(rig.network, store: rig.store, clocks: rig.clock.clocks)
        let response = try await other.load(rig.request())
        #expect(response.head.origin == .resumed)
        #expect(response.head.status == 200)
        #expect(response.head.resumedCount == 4_000)
        #expect(response.head.expectedCount == rig.body.count)
        #expect(try await response.body.collect() == rig.body)
        #expect(try response.body.stored?.bytes() == rig.body)
        #expect(rig.network.requests.last?.range == .from(4_000))
        #expect(rig.network.requests.last?.headers["If-Range"] == "\"v1\"")
        #expect(try await rig.load().head.origin == .store)
        #expect(rig.store.appended == rig.body.count)
        #expect(rig.store.liveWriters == 0)
    }

    enum Answer: String, CaseIterable {
        case changed, ignoresRange, wrongStart, otherWhole, otherTag, noTag, weakTag, coded
        case refused416, told416
    }

    @Test(arguments: Answer.allCases) func `a mismatched response starts again`(
        kind: Answer
    ) async throws {
        let rig = CachingRig()
        try await interrupt(rig, .reset)
        let newBody = (0..<9_000).map { UInt8(truncatingIfNeeded: $0) }
        rig.origin.change { state in
            switch kind {
            case .changed:
                state.version = 2
                state.body = newBody
            case .ignoresRange: state.hasRanges = false
            case .wrongStart:
                state.edit = { answer, _ in
                    if let range = answer.head?.contentRange?.range {
                        answer.head?.contentRange?.range = 3_999..<range.upperBound
                    }
                }
            case .otherWhole:
                state.edit = { answer, _ in answer.head?.contentRange?.whole = 10_001 }
            case .otherTag, .noTag, .weakTag:
                let tags: [Answer: String] = [.otherTag: "\"x\"", .weakTag: "W/\"v1\""]
                state.edit = { answer, request in
                    if request.range != nil { answer.head?.headers["ETag"] = tags[kind] }
                }
            case .coded:
                state.edit = { answer, request in
                    if request.range != nil { answer.head?.headers["Content-Encoding"] = "gzip" }
                }
            case .refused416, .told416:
                state.edit = { answer, request in
                    guard request.range != nil else { return }
                    answer = .init()
                    if kind == .refused416 {
                        answer.failure = LoadingError(.status, "No range.", status: 416)
                    } else {
                        answer.head = ResponseHead(
                            url: request.url, status: 416,
                            headers: ["Content-Range": "bytes */3000"], origin: .network)
                    }
                }
            }
        }
        let answer = try await rig.load()
        #expect(answer.bytes == (kind == .changed ? newBody : rig.body))
        #expect(answer.head.origin == .network)
        #expect(answer.head.resumedCount == 0)
        #expect(rig.store.suspendedKeys.isEmpty)
        #expect(rig.store.liveWriters == 0)
        let isOneAnswer = [.changed, .ignoresRange].contains(kind)
        #expect(rig.network.requests.count == (isOneAnswer ? 2 : 3))
    }

    static let useless: [(HTTPHeaders, String?)] = [
        ([:], nil), ([:], "W/\"a\""), (["Accept-Ranges": "none"], "\"a\""),
        (["Content-Encoding": "gzip"], "\"a\""),
        (["Vary": "*"], "\"a\""),
        // The date of the last change is that of the answer: it may have changed since.
        (["Last-Modified": "Fri, 15 Jan 2027 08:00:00 GMT"], nil),
    ]

    @Test(arguments: useless) func `partial downloads that cannot be continued are not kept`(
        headers: HTTPHeaders, tag: String?
    ) async throws {
        let rig = CachingRig(headers)
        rig.origin.change { $0.tag = { _ in tag } }
        try await rig.loadPart()
        #expect(rig.store.suspendedKeys.isEmpty)
        #expect(try await rig.load().bytes == rig.body)
        #expect(rig.network.requests.last?.range == nil)
    }

    @Test func `without a store and with no-store, memory keeps partial downloads`() async throws {
        let rig = CachingRig(["Cache-Control": "no-store"])
        let memory = PartialMemory()
        let loaders = [
            rig.loader,
            CachingLoader(rig.network, store: memory, memory: memory, clocks: rig.clock.clocks),
        ]
        for loader in loaders {
            let response = try await loader.load(rig.request())
            for _ in 0..<4 { _ = try await response.body.next() }
            #expect(response.body.stored == nil)
            _ = consume response
            let again = try await loader.load(rig.request())
            #expect(again.head.origin == .resumed && again.head.resumedCount == 4_000)
            #expect(try await again.body.collect() == rig.body)
            #expect(rig.network.requests.last?.range == .from(4_000))
            #expect(rig.network.requests.last?.headers["If-Range"] == "\"v1\"")
            // What is whole is not kept: it may answer nobody else.
            #expect(try await loader.load(rig.request()).head.origin == .network)
        }
        #expect(rig.store.keys.isEmpty && rig.store.suspendedKeys.isEmpty)
        var request = rig.request()
        request.headers["Cache-Control"] = "no-store"
        let response = try await rig.loader.load(request)
        _ = try await response.body.next()
        _ = consume response
        #expect(rig.memory.count == 0, "the request's own no-store")
    }

    @Test func `a strong date is used without a tag`() async throws {
        let date = "Fri, 01 Jan 2027 00:00:00 GMT"
        let rig = CachingRig(["Last-Modified": date])
        rig.origin.change { state in
            state.tag = { _ in nil }
            state.edit = { answer, request in
                guard let range = request.range, request.headers["If-Range"] == date,
                    let place = range.resolved(in: 10_000)
                else { return }
                let whole = answer.pieces.flatMap { $0 }
                answer.pieces = [Array(whole[place])]
                answer.head?.status = 206
                answer.head?.contentRange = (place, 10_000)
                answer.head?.expectedCount = place.count
            }
        }
        try await rig.loadPart()
        let answer = try await rig.load()
        #expect(answer.head.origin == .resumed)
        #expect(answer.bytes == rig.body)
    }

    @Test func `a request may forbid resuming`() async throws {
        let rig = CachingRig()
        var request = rig.request()
        request.isResumable = false
        let response = try await rig.loader.load(request)
        _ = try await response.body.next()
        withExtendedLifetime(response) {}
        _ = consume response
        #expect(rig.store.suspendedKeys.isEmpty)
        try await rig.loadPart()
        #expect(try await rig.loader.load(request).body.collect() == rig.body)
        #expect(rig.network.requests.last?.range == nil)
    }

    @Test func `noCache neither reads nor writes partial downloads`() async throws {
        let rig = CachingRig()
        try await rig.loadPart()
        let before = rig.store.appended
        #expect(try await rig.load(.noCache).bytes == rig.body)
        #expect(rig.network.requests.last?.range == nil)
        #expect(rig.store.appended == before)
        #expect(rig.store.suspendedKeys.count == 1)
    }

    @Test func `a complete partial download only needs its end`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60"])
        let response = try await rig.loader.load(rig.request())
        var got = 0
        while got < rig.body.count { got += try await response.body.next()?.count ?? 0 }
        _ = consume response
        #expect(rig.store.suspendedKeys.count == 1)
        let answer = try await rig.load()
        #expect(answer.head.origin == .store)
        #expect(answer.bytes == rig.body)
        #expect(rig.network.requests.count == 1)
    }

    @Test func `a 416 reveals a complete partial download of unknown size`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60"])
        rig.origin.change {
            $0.edit = { answer, request in
                answer.head?.expectedCount = nil
                guard request.range == .from(10_000) else { return }
                answer = .init()
                answer.head = ResponseHead(
                    url: request.url, status: 416,
                    headers: ["Content-Range": "bytes */10000", "ETag": "\"v1\""],
                    origin: .network)
            }
        }
        let response = try await rig.loader.load(rig.request())
        for _ in 0..<10 { _ = try await response.body.next() }
        _ = consume response
        let answer = try await rig.load()
        #expect(answer.bytes == rig.body)
        #expect(rig.network.requests.count == 2)
        #expect(rig.store.keys.count == 1)
    }

    @Test func `a partial download is kept while the server is unreachable`() async throws {
        let rig = CachingRig()
        try await rig.loadPart()
        rig.origin.change { $0.failure = LoadingError(.connect, "No connection.") }
        #expect(await failure { try await rig.load() }?.code == .connect)
        #expect(rig.store.suspendedKeys.count == 1)
        rig.origin.change { $0.failure = LoadingError(.status, "Gone.", status: 404) }
        #expect(await failure { try await rig.load() }?.status == 404)
        #expect(rig.store.suspendedKeys.isEmpty)
    }

    @Test func `a download interrupted twice continues from there`() async throws {
        let rig = CachingRig()
        for count in 1...3 {
            rig.origin.change { $0.cutAfter = 3_000 }
            _ = await failure { try await rig.load() }
            #expect(rig.network.requests.count == count)
        }
        rig.origin.change { $0.cutAfter = nil }
        let answer = try await rig.load()
        #expect(answer.head.resumedCount == 9_000)
        #expect(answer.bytes == rig.body)
        #expect(rig.store.appended == rig.body.count)
    }

    @Test func `an interrupted variant is continued under its key`() async throws {
        let rig = CachingRig(["Vary": "Accept"])
        let response = try await rig.loader.load(rig.request(.normal, ["Accept": "a"]))
        for _ in 0..<4 { _ = try await response.body.next() }
        _ = consume response
        #expect(try await rig.load(.normal, ["Accept": "b"]).head.origin == .network)
        let answer = try await rig.load(.normal, ["Accept": "a"])
        #expect(answer.head.origin == .resumed)
        #expect(answer.bytes == rig.body)
    }

    @Test func `a partial download beyond the request's limit is not served`() async throws {
        let rig = CachingRig()
        try await rig.loadPart()
        var request = rig.request()
        request.maximumBytes = 5_000
        #expect(
            await failure { try await rig.loader.load(request).body.collect() }?.code == .tooLarge)
    }
}
