internal import LazyMedia

/// Decides which rectangles are painted and cleared, and which frames are merged.
///
/// A frame is ready when the next one is known: where pixels of that become transparent, this one
/// must clear them on disposal.
struct GIFPlan {
    private let size: PixelSize
    private var waiting: GIFFrameJob?

    init(_ size: PixelSize) { self.size = size }

    /// Adds the next frame, whose `rect` is what differs from the frame before it.
    ///
    /// `ready` is the frame before, once it is settled; `isFree` tells that this one was the same
    /// and has been added to it.
    mutating func add(_ job: GIFFrameJob) -> (ready: GIFFrameJob?, isFree: Bool) {
        guard let last = waiting else {
            job.rect = PixelRect(size)
            waiting = job
            return (nil, false)
        }
        if job.cleared.isEmpty, job.rect.isEmpty {
            last.delay += job.delay
            return (nil, true)
        }
        if !job.cleared.isEmpty {
            last.clearsAfter = true
            last.rect = last.rect.union(job.cleared)
            job.blank = last.rect
            job.rect = job.rect.union(opaquePart(of: job))
        }
        if job.rect.isEmpty { job.rect = PixelRect(x: 0, y: 0, width: 1, height: 1) }
        waiting = job
        return (last, false)
    }

    /// The last frame.
    mutating func finish() -> GIFFrameJob? {
        defer { waiting = nil }
        return waiting
    }

    /// The part of the cleared rectangle to paint again.
    private func opaquePart(of job: GIFFrameJob) -> PixelRect {
        var bounds = ChangeBounds()
        for y in job.blank.y..<job.blank.bottom {
            for x in job.blank.x..<job.blank.right
            where job.pixels.values[y * size.width + x] != 0 {
                bounds.add(x, y)
            }
        }
        return bounds.rect
    }
}
