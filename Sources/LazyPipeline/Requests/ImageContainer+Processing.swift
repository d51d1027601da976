internal import LazyBase
public import LazyMedia

extension ImageContainer {
    /// Creates a container of one still image.
    public init(still bitmap: Bitmap, type: MediaType? = nil) {
        self.init(
            frames: FrameSequence(still: bitmap, type: type ?? .unknown), image: bitmap, type: type)
    }

    /// The image with a processor applied: to the poster now, and to frames as they are decoded.
    ///
    /// Animations stay animations; the frame of a still is processed once and shared. Blocks while the
    /// poster is processed.
    public func processed(
        by processor: any ImageProcessing
    ) throws(ProcessingError) -> ImageContainer {
        var result = self
        let size = processor.outputSize(for: frames.info.size)
        try check(size)
        result.data = nil
        result.sourceSize = sourceSize
        result.image = try processor.process(
            image, context: ProcessingContext(isPreview: isPreview))
        let isPosterAFrame = image.size == frames.info.size
        if isPosterAFrame, !isAnimated {
            let info = frames.info
            let poster = result.image
            result.frames = frames.wrapped { _ in StillMedia(poster, info: info) }
            result.sourceBytes = 0
        } else {
            // A processor from a closure may not declare its output size.
            let due = isPosterAFrame ? result.image.size : size
            let hasAlpha = !result.image.isOpaque
            result.frames = frames.wrapped {
                ProcessedMedia(
                    $0, processor, size: due, hasAlpha: hasAlpha, isPreview: isPreview)
            }
        }
        return result
    }

    /// The image with a processor applied, in the background.
    func applying(
        _ processor: any ImageProcessing
    ) async throws(PipelineError) -> ImageContainer {
        do throws(ProcessingError) {
            if isAnimated, let processor = processor as? any SequenceProcessing {
                return try await processed(asSequenceBy: processor)
            }
            return try await BlockingPool.shared.run { () throws(ProcessingError) in
                try processed(by: processor)
            }
        } catch {
            throw .processingFailed(identifier: processor.identifier, error)
        }
    }

    /// The animation with a sequence processor applied; the first frame is the poster.
    ///
    /// Decodes the first frame.
    func processed(
        asSequenceBy processor: any SequenceProcessing
    ) async throws(ProcessingError) -> ImageContainer {
        var result = self
        do throws(MediaError) {
            result.frames = try await processor.process(frames)
            result.image = try await result.frames.poster(.first).bitmap
        } catch {
            throw ProcessingError(error)
        }
        result.data = nil
        result.sourceSize = sourceSize
        return result
    }

    private func check(_ size: PixelSize) throws(ProcessingError) {
        do throws(MediaError) {
            try frames.limits.check(canvas: size)
        } catch {
            throw ProcessingError(error)
        }
    }
}
