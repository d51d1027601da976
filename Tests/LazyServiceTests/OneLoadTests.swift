import FoundationEssentials
import LazyBase
import LazyKit
import LazyLoading
import LazyMedia
import LazyPipeline
import Support
import Testing

@testable import LazyService

/// Sources that no cache may keep: what one request needs of them is loaded once.
@Suite(.timeLimit(.minutes(2))) struct OneLoadTests {
    /// How a server answers.
    enum Manner: CaseIterable {
        /// To ranges with the whole.
        case whole
        /// Without a length.
        case unending
        /// By ranges, without anything that tells versions apart.
        case ranges
        /// With a validator, but nothing may be stored.
        case noStore
    }

    private static func loader(_ file: String, _ manner: Manner) throws -> ScriptedLoader {
        let bytes = try Media.array(file)
        return ScriptedLoader { request in
            var headers = HTTPHeaders()
            if manner == .noStore {
                (headers["ETag"], headers["Cache-Control"]) = ("\"1\"", "no-store")
            }
            var head = ResponseHead(
                url: request.url, headers: headers,
                expectedCount: manner == .unending ? nil : bytes.count, origin: .network)
            let wanted: Range<Int>? =
                switch (manner, request.range) {
                case (.ranges, .bytes(let range)?): range.clamped(to: 0..<bytes.count)
                case (.ranges, .from(let start)?): start..<bytes.count
                default: nil
                }
            guard let wanted else { return .init([bytes], head: head) }
            (head.status, head.expectedCount) = (206, wanted.count)
            head.contentRange = (wanted, bytes.count)
            return .init([Array(bytes[wanted])], head: head)
        }
    }

    private static func served(_ loader: ScriptedLoader) throws -> Served {
        try Served { _ in
        } pipeline: {
            $0.dataLoader = loader
            $0.remoteOpener = RangeOpener(loader: loader)
        }
    }

    @Test(
        arguments: Manner.allCases,
        [
            ("still.jpg", "/unsafe/w:20/", "@webp"), ("still.jpg", "/unsafe/w:20/", ""),
            ("counter.gif", "/unsafe/w:20/", "@webp"), ("counter.gif", "/unsafe/", "@gif"),
            ("counter.gif", "/unsafe/w:20/mb:100/", "@webp"), ("still.jpg", "/unsafe/raw:1/", ""),
            ("still.jpg", "/unsafe/skp:jpg/", ""), ("still.jpg", "/info/unsafe/", ""),
        ])
    func `a request loads its source once`(
        manner: Manner, of path: (file: String, options: String, ending: String)
    ) async throws {
        let loader = try Self.loader(path.file, manner)
        let served = try Self.served(loader)
        let target = "\(path.options)plain/http://example.com/\(path.file)\(path.ending)"
        let first = await served.get(target)
        #expect(first.status == 200)
        let count = try Media.array(path.file).count
        // A range is the beginning of the whole; the rest is asked for apart.
        let most = manner == .ranges && count > RangeReader.firstCount ? 2 : 1
        #expect(loader.requests.count == most, "\(loader.requests.map(\.range))")
        let again = await served.get(target)
        #expect(try await Served.bytes(again) == Served.bytes(first))
        #expect(loader.requests.count == 2 * most)
    }

    @Test func `what is larger than the first range is continued`() async throws {
        // Noise, which is not compressed.
        let size = PixelSize(width: 200, height: 200)
        let bytes = try Bitmap(size: size, isOpaque: true) { output in
            for place in 0..<size.pixelCount {
                let noise = UInt32(truncatingIfNeeded: place &* 2_654_435_761)
                for channel in 0..<3 {
                    output[place * 4 + channel] = UInt8(
                        truncatingIfNeeded: noise &* noise >> UInt32(8 + channel * 5))
                }
                output[place * 4 + 3] = 255
            }
        }.pngData()
        #expect(bytes.count > RangeReader.firstCount)
        let loader = ScriptedLoader { request in
            let range: Range<Int> =
                switch request.range {
                case .bytes(let range)?: range.clamped(to: 0..<bytes.count)
                case .from(let start)?: start..<bytes.count
                default: 0..<bytes.count
                }
            let head = ResponseHead(
                url: request.url, status: request.range == nil ? 200 : 206,
                expectedCount: range.count,
                contentRange: request.range == nil ? nil : (range, bytes.count), origin: .network)
            return .init([Array(bytes[range])], head: head)
        }
        let served = try Self.served(loader)
        let response = await served.get("/unsafe/w:20/plain/http://example.com/a.png@png")
        #expect(try await Served.media(response).info.size.width == 20)
        #expect(loader.requests.map(\.range) == [.bytes(0..<(1 << 16)), .from(1 << 16)])
    }

    @Test func `the bytes of a film that its facts have read are read by its poster`() async throws
    {
        let film = MovieForge.spread(
            try Media.array("clip.mp4"), room: 2_000_000, tablesFirst: true)
        let loader = ScriptedLoader { request in
            guard case .bytes(let range)? = request.range else { return .init([film]) }
            let part = range.clamped(to: 0..<film.count)
            let head = ResponseHead(
                url: request.url, status: 206, headers: ["ETag": "\"1\""],
                expectedCount: part.count, contentRange: (part, film.count), origin: .network)
            return .init([Array(film[part])], head: head)
        }
        let served = try Self.served(loader)
        let response = await served.get("/unsafe/w:20/vts:1/plain/http://example.com/a.mp4@png")
        #expect(response.status == 200)
        let ranges = loader.requests.compactMap { request -> Range<Int>? in
            if case .bytes(let range)? = request.range { range } else { nil }
        }
        #expect(ranges.count == loader.requests.count, "the whole is loaded")
        #expect(ranges.filter { $0.lowerBound == 0 }.count == 1, "\(ranges)")
    }

    @Test func `posters of one film at once are read by ranges, each`() async throws {
        let film = MovieForge.spread(
            try Media.array("clip.mp4"), room: 2_000_000, tablesFirst: true)
        let loader = ScriptedLoader { request in
            guard case .bytes(let range)? = request.range else { return .init([film]) }
            let part = range.clamped(to: 0..<film.count)
            let head = ResponseHead(
                url: request.url, status: 206, headers: ["ETag": "\"1\""],
                expectedCount: part.count, contentRange: (part, film.count), origin: .network)
            return .init([Array(film[part])], head: head)
        }
        let served = try Self.served(loader)
        await withTaskGroup(of: Int.self) { group in
            for width in 20..<28 {
                group.addTask {
                    await served.get("/unsafe/w:\(width)/plain/http://example.com/a.mp4@png").status
                }
            }
            for await status in group { #expect(status == 200) }
        }
        #expect(loader.requests.allSatisfy { $0.range != nil })
    }
}
