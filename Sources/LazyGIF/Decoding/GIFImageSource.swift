internal import LazyMedia

/// Decompresses the images of a GIF in any order, and ahead of the reader when it reads on.
final class GIFImageSource {
    /// What the look-ahead may hold beyond two images a thread: images, and indices in all.
    private static let limit = (images: 16, indices: 1 << 20)
    /// Decompressing less than this takes about as long as it takes threads to get going.
    static let leastWork = 2 << 20

    private let media: OpenedGIF
    private let options: ReaderOptions
    private let workers: GIFWorkers?
    private var file: GIFFile
    /// Jobs in the order in which they will be wanted, all submitted to the workers.
    private var ahead: [GIFImageJob] = []
    private var spare: [GIFImageJob] = []
    private var handedOut: GIFImageJob?

    init(
        _ media: OpenedGIF, _ options: ReaderOptions, leastWork: Int = leastWork
    ) throws(MediaError) {
        self.media = media
        self.options = options
        // A byte of codes costs about as much as sixteen of the indices that come of it.
        let work = media.scan.images.reduce(0) { $0 + $1.dataByteCount + $1.rect.pixelCount / 16 }
        let isWorthThreads =
            options.threads > 1 && !options.isSingleFrame && media.scan.images.count > 1
            && work >= leastWork
        workers = isWorthThreads ? GIFWorkers(cancellation: options.cancellation) : nil
        file = try GIFFile(media.bytes)
        workers?.start(options.threads - 1)
    }

    deinit {
        for job in ahead { job.abandonment.cancel() }
        workers?.stop()
    }

    /// The image of an index, decompressed; good until the next is asked for.
    func image(_ index: Int) throws(MediaError) -> GIFImageJob {
        let isReadingOn =
            handedOut.map { next(after: $0.index) == index } ?? (next(after: -1) == index)
        if let handedOut { spare.append(handedOut) }
        handedOut = nil
        dropAhead { $0.index != index }
        let job: GIFImageJob
        if ahead.isEmpty {
            job = try load(index)
            if isReadingOn { fillAhead(after: index) }
            job.run(options.cancellation)
        } else {
            job = ahead.removeFirst()
            fillAhead(after: ahead.last?.index ?? index)
            workers?.finish(job)
        }
        handedOut = job
        return job
    }

    private func load(_ index: Int) throws(MediaError) -> GIFImageJob {
        let job = if let job = spare.popLast() { job } else { try GIFImageJob() }
        do {
            try job.load(
                media.scan.images[index], index: index, from: &file, limits: options.limits)
        } catch {
            spare.append(job)
            throw error
        }
        return job
    }

    /// Drops jobs from the front as long as they are not wanted.
    private func dropAhead(while isUnwanted: (GIFImageJob) -> Bool) {
        let kept = ahead.firstIndex { !isUnwanted($0) } ?? ahead.count
        for job in ahead[..<kept] {
            workers?.abandon(job)
            spare.append(job)
        }
        ahead.removeFirst(kept)
    }

    /// The image that comes after another for a reader that reads on.
    private func next(after index: Int) -> Int? {
        let images = media.scan.images
        guard options.keyframesOnly else { return index + 1 < images.count ? index + 1 : nil }
        return images[(index + 1)...].firstIndex { $0.isKeyframe }
    }

    /// Submits the images that come next, as many as the look-ahead may hold.
    private func fillAhead(after index: Int) {
        guard let workers else { return }
        var last = index
        var indices = ahead.reduce(0) { $0 + $1.image.rect.pixelCount }
        while let next = next(after: last) {
            indices += media.scan.images[next].rect.pixelCount
            guard
                ahead.count < 2 * options.threads
                    || (ahead.count < Self.limit.images && indices <= Self.limit.indices)
            else { return }
            // What cannot be loaded is an error when its turn has come, and not before.
            guard let job = try? load(next) else { return }
            ahead.append(job)
            workers.submit(job)
            last = next
        }
    }
}
