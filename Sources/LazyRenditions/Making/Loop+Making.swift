internal import LazyBase
package import LazyMedia

extension Rendition {
    /// Copies the bytes of a source with a change of its times; nothing is decoded.
    func makeLoop(
        _ change: TimingChange, of source: Source, to sinks: any Sinks, _ tools: Tools
    ) async throws(MediaError) -> Report {
        let info = source.frames.info
        guard let rewriter = source.rewriter, let bytes = source.bytes else {
            throw Self.refusal(of: info.type)
        }
        let sink = try sinks.open(.main, as: info.type)
        let limits = source.frames.limits
        let flag = CancellationFlag()
        let count = Locked(0)
        let result = await withTaskCancellationHandler {
            await BlockingPool.shared.run { () -> Result<Void, MediaError> in
                Result { () throws(MediaError) in
                    try rewriter.rewrite(
                        bytes, change, limits: limits, cancellation: flag
                    ) { (piece) throws(MediaError) in
                        count.withLock { $0 += piece.count }
                        try sink.write(piece)
                    }
                    try sink.finish()
                }
            }
        } onCancel: {
            flag.cancel()
        }
        try result.get()
        var report = Report(
            self, .init(type: info.type, byteCount: count.withLock { $0 }), size: info.size,
            frameCount: info.frameCount, details: .loop(before: info.loop),
            warnings: info.warnings
                + [Self.rounding(of: change, in: info.type, tools.encoders)].compactMap(\.self))
        report.loop = change.plays.written(for: info.loop)
        report.duration = change.delays == nil ? info.duration : nil
        return report
    }

    /// A warning about a delay that is none of the format's steps.
    private static func rounding(
        of change: TimingChange, in type: MediaType, _ encoders: EncoderRegistry
    ) -> MediaWarning? {
        guard case .each(let length)? = change.delays, let traits = encoders.traits(for: type),
            traits.timeStep > 1
        else { return nil }
        let step = Duration.microseconds(traits.timeStep)
        let steps = ErrorDiffusedDelays.steps(
            length, step: step, least: traits.shortestDelay / traits.timeStep)
        let written = step.multiplied(by: Int(clamping: steps))
        guard written != length else { return nil }
        let (asked, shown) = (length / .milliseconds(1), written / .milliseconds(1))
        return MediaWarning(
            .delaysRounded,
            "\(type.title) has delays in steps of \(traits.timeStep / 1000) ms: every frame is shown for \(Words.printNumber(shown)) ms, not \(Words.printNumber(asked)) ms."
        )
    }

    /// Why the loop of a type cannot be changed.
    package static func refusal(of type: MediaType) -> MediaError {
        let message =
            switch type.family {
            case .video:
                "\(type.name.uppercased()) has no loop count, and its delays cannot be changed; players decide."
            case .audio: "A song (\(type.name)) has no loop and no delays."
            case .still: "A single image (\(type.name)) has no loop and no delays."
            default: "The loop of \(type.name) cannot be changed."
            }
        return MediaError(.notWritable, message)
    }
}
