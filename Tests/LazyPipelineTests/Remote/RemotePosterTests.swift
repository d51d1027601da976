import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import Support
import Testing

/// Posters by ranges: when there are none to be read, and what their failures are called.
@Suite(.timeLimit(.minutes(1))) struct RemotePosterTests {
    private let opener = BreakingOpener()

    private func poster() -> ImageRequest {
        var request = ImageRequest(url: Given.url())
        request.selection = .poster(.first)
        return request
    }

    @Test func `a network that fails during decoding is a failed load`() async {
        let pipeline = Given.pipeline(Given.loader()) { $0.remoteOpener = opener }
        do throws(PipelineError) {
            _ = try await pipeline.image(for: poster())
            Issue.record("there is no poster")
        } catch {
            guard case .dataLoadingFailed(let reason) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(reason.code == .reset)
        }
        #expect(opener.opened.value == 1)
    }

    @Test func `cached bytes are not requested by ranges`() async throws {
        let loader = Given.loader()
        let pipeline = Given.pipeline(loader) {
            $0.remoteOpener = opener
            $0.dataCache = PlainDataCache()
        }
        _ = try await pipeline.data(for: ImageRequest(url: Given.url()))
        #expect(try await pipeline.image(for: poster()).size == PixelSize(width: 4, height: 4))
        #expect(opener.opened.value == 0 && loader.requests.count == 1)
    }
}

/// Opens bytes whose server goes away behind the signature.
private final class BreakingOpener: RemoteOpening {
    let opened = Counter()

    func open(_ request: LoadRequest) async throws(LoadingError) -> RemoteOpened {
        opened.add()
        return .ranges(
            RemoteMedia(
                bytes: BreakingBytes(), type: .gif,
                head: ResponseHead(url: request.url, origin: .network), bytesRead: { 13 }))
    }
}

private final class BreakingBytes: ByteSource {
    let count = 1 << 20
    var isRemote: Bool { true }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        guard offset < 13 else {
            let reason = LoadingError(.reset, "The connection broke.")
            throw MediaError(.environment, reason.message, underlying: reason)
        }
        let bytes = Given.gif()[offset..<13]
        let length = min(buffer.count, bytes.count)
        buffer.copyBytes(from: bytes.prefix(length))
        return length
    }

    func contiguous() throws(MediaError) -> MemoryBytes {
        try MemoryBytes(capacity: count) { (buffer) throws(MediaError) in
            try read(at: 13, into: buffer)
        }
    }
}
