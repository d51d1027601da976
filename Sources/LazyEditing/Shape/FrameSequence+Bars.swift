internal import LazyMedia

extension FrameSequence {
    /// The frames that are looked at for bars.
    private static let barFrames = 24

    /// The picture inside of black bars, or nil without such bars.
    func pictureInsideBars() async throws(MediaError) -> PixelRect? {
        let length = try await playLength()
        let count = Self.barFrames
        let times = (0..<count).map { length * (Double(2 * $0 + 1) / Double(2 * count)) }
        return try await cancellable { (flag) throws(MediaError) in
            let keyframes = try peaks(at: times, keyframesOnly: true, flag)
            // Keyframes are cheap; where there are too few of them, other frames are decoded too.
            let peaks =
                keyframes.count * 2 > count
                ? keyframes : try peaks(at: times, keyframesOnly: false, flag)
            return peaks.inner
        }
    }

    private func peaks(
        at times: [Duration], keyframesOnly: Bool, _ cancellation: CancellationFlag
    ) throws(MediaError) -> PeakLuma {
        let reader = try makeReader(
            ReaderOptions(
                limits: limits, delayRule: delayRule, keyframesOnly: keyframesOnly,
                cancellation: cancellation))
        var peaks = PeakLuma(info.size)
        var last: MediaTime?
        for time in times {
            try reader.seek(toTime: time)
            guard let frame = try reader.nextFrame() else { continue }
            if frame.timing.presentation == last { continue }
            last = frame.timing.presentation
            peaks.add(frame.bitmap)
        }
        return peaks
    }
}
