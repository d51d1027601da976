internal import LazyMedia

/// Decompresses the images of a GIF, one after the other or in any order.
final class GIFImageSource {
    private let media: OpenedGIF
    private let options: ReaderOptions
    private var file: GIFFile
    private let job: GIFImageJob

    init(_ media: OpenedGIF, _ options: ReaderOptions) throws(MediaError) {
        self.media = media
        self.options = options
        job = try GIFImageJob()
        file = try GIFFile(media.bytes)
    }

    /// The image of an index, decompressed; good until the next is asked for.
    func image(_ index: Int) throws(MediaError) -> GIFImageJob {
        try job.load(media.scan.images[index], index: index, from: &file, limits: options.limits)
        let cancellation = options.cancellation
        job.run { cancellation.isCancelled }
        return job
    }
}
