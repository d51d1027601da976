import FoundationEssentials
import HTTPSupport
import LazyBase
import LazyKit
import LazyLoading
import LazyMedia
import LazyPipeline
import Support
import Testing

/// What a poster of a remote clip costs, at the size of a thumbnail too.
@Suite struct RemoteThumbnailTests {
    /// A WebM with more bytes than a poster may cost: noise over a pattern that small pictures show too.
    private static let clip = Task { () throws -> [UInt8] in
        let size = PixelSize(width: 192, height: 108)
        let noise = DrawnMedia(
            size: size, durations: Array(repeating: .milliseconds(100), count: 220),
            hasAlpha: false
        ) { (number) throws(MediaError) in
            try Bitmap(size: size, isOpaque: true) { rows in
                var random = SplitMix(UInt64(number))
                for place in 0..<size.pixelCount {
                    let isLight = (place % size.width / 48 + place / size.width / 54) % 2 == 0
                    let noise = UInt32(truncatingIfNeeded: random.next()) & 0x003F_3F3F
                    rows.storeBytes(
                        of: noise | (isLight ? 0xFFC0_C0C0 : 0xFF00_0000),
                        toByteOffset: place * 4, as: UInt32.self)
                }
            }
        }
        let frames = FrameSequence(noise, limits: .local)
        return try await frames.encoded(as: .webm, options: EncodingOptions(quality: 80, effort: 0))
    }

    @Test(arguments: [
        nil, TargetSize(width: 48), TargetSize(width: 40, height: 40, fit: .cover),
    ]) func `a poster of a remote WebM does not read all of it`(_ size: TargetSize?) async throws {
        let bytes = try await Self.clip.value
        #expect(bytes.count > 1 << 20)
        let server = try ScriptedServer { .serve(bytes, to: $0, etag: "\"1\"") }
        let opener = RecordingOpener()
        var configuration = ImagePipeline.Configuration.inMemory
        opener.base.withLock { $0 = configuration.remoteOpener }
        configuration.remoteOpener = opener
        let pipeline = ImagePipeline(configuration: configuration)
        var request = ImageRequest(url: server.url("/clip.webm"))
        request.selection = .poster(.auto)
        request.thumbnail = size.map { ImageRequest.ThumbnailOptions(size: $0) }
        let poster = try await pipeline.image(for: request)
        #expect(
            poster.size == size?.finalSize(of: PixelSize(width: 192, height: 108)) ?? poster.size)
        let media = try #require(opener.opened.withLock { $0 })
        #expect(media.bytesRead() < bytes.count / 2)
    }
}

/// Remembers what was opened.
private final class RecordingOpener: RemoteOpening {
    let base = Locked<(any RemoteOpening)?>(nil)
    let opened = Locked<RemoteMedia?>(nil)

    func open(_ request: LoadRequest) async throws(LoadingError) -> RemoteOpened {
        guard let base = base.withLock({ $0 }) else { return .usual }
        let outcome = try await base.open(request)
        if case .ranges(let media) = outcome { opened.withLock { $0 = media } }
        return outcome
    }
}
