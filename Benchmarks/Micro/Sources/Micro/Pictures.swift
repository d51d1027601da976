import LazyBase
import LazyMedia
import LazyPipeline

/// A medium without frames: the benchmarks look at caches, not at pixels.
struct NoMedia: OpenedMedia {
    let info: MediaInfo
    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        FrameIndex([])
    }
    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        throw MediaError(.environment, "there are no frames")
    }
    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? { nil }
}

struct Nothing: ImageProcessing {
    let identifier: String
    func outputSize(for size: PixelSize) -> PixelSize { size }
    func process(
        _ bitmap: Bitmap, context: ProcessingContext
    ) throws(ProcessingError) -> Bitmap { bitmap }
}

enum Pictures {
    static func picture(side: Int = 10) -> ImageContainer {
        let size = PixelSize(width: side, height: side)
        guard let bitmap = try? Bitmap(size: size, isOpaque: true, writingRows: { _ in }) else {
            // Ten by ten pixels: without them there is nothing to measure.
            fatalError("no memory")
        }
        let media = NoMedia(info: MediaInfo(type: .png, codec: "none", size: size, frameCount: 1))
        return ImageContainer(frames: FrameSequence(media), image: bitmap, type: .png)
    }

    static func requests(_ count: Int) -> [ImageRequest] {
        (0..<count).map {
            ImageRequest(string: "https://images.example.com/library/picture-\($0).jpeg?w=640")
        }
    }
}
