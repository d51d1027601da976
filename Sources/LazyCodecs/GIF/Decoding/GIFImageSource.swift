internal import LazyMedia

/// Decompresses the images of a GIF in any order, and ahead of a reader that reads sequentially.
final class GIFImageSource {
    /// The limits of look-ahead beyond two images a thread.
    private static let limit = (images: 16, indices: 1 << 20)
    /// Below this amount of work, starting threads costs more than it saves.
    static let leastWork = 2 << 20

    private let media: OpenedGIF
    private let options: ReaderOptions
    private let workers: GIFWorkers?
    private var file: GIFFile
    /// Jobs submitted to the workers, in the order of reading.
    private var ahead: [GIFImageJob] = []
    private var spare: [GIFImageJob] = []
    private var handedOut: GIFImageJob?

    init(
        _ media: OpenedGIF, _ options: ReaderOptions, leastWork: Int = leastWork
    ) throws(MediaError) {
        self.media = media
        self.options = options
        // A byte of codes costs about as much as sixteen indices.
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

    /// The decompressed image of an index; valid until the next call.
    func image(_ index: Int) throws(MediaError) -> GIFImageJob {
        let isReadingOn =
            handedOut.map { next(after: $0.index) == index } ?? (next(after: -1) == index)
        if let handedOut { spare.append(handedOut) }
        handedOut = nil
        dropAhead { $0.index != index }
        let job: GIFImageJob
        if ahead.isEmpty {
            let known = index == 0 ? media.takeFirst() : nil
            job = if let known { known } else { try load(index) }
            if isReadingOn { fillAhead(after: index) }
            if known == nil { job.run(options.cancellation) }
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

    /// Drops jobs from the front while they are unwanted.
    private func dropAhead(while isUnwanted: (GIFImageJob) -> Bool) {
        let kept = ahead.firstIndex { !isUnwanted($0) } ?? ahead.count
        for job in ahead[..<kept] {
            workers?.abandon(job)
            spare.append(job)
        }
        ahead.removeFirst(kept)
    }

    /// The image that follows another in sequential reading.
    private func next(after index: Int) -> Int? {
        let images = media.scan.images
        guard options.keyframesOnly else { return index + 1 < images.count ? index + 1 : nil }
        return images[(index + 1)...].firstIndex { $0.isKeyframe }
    }

    /// Submits the next images, up to the limits of look-ahead.
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
            // An image that cannot be loaded is an error only when it is read.
            guard let job = try? load(next) else { return }
            ahead.append(job)
            workers.submit(job)
            last = next
        }
    }
}
