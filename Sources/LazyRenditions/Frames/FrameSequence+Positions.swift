internal import LazyMedia

extension FrameSequence {
    /// The number of the frame at a position in the clip.
    ///
    /// Reads the times of all frames. Throws `.notFound` for a time behind the end, a number that no frame has, and a choice
    /// that is no position.
    func frameNumber(of position: PosterChoice) async throws(MediaError) -> Int {
        let index = try await frameIndex()
        guard index.count > 0 else {
            throw MediaError(.notFound, "The input has no frame that can be shown.")
        }
        switch position {
        case .first: return 0
        case .at(let time):
            let end = index.duration
            guard time <= end || isStill else {
                throw MediaError(
                    .notFound, "The media ends at \(end.inSeconds), before the requested time.")
            }
            return index.frame(at: time) ?? 0
        case .percent(let share):
            return index.frame(at: index.duration * (min(max(share, 0), 100) / 100)) ?? 0
        case .index(let number):
            let place = number < 0 ? index.count + number : number
            guard (0..<index.count).contains(place) else {
                throw MediaError(.notFound, "The sequence has only \(index.count) frames.")
            }
            return place
        case .chapter(let number): return index.frame(at: try info.chapter(number).start) ?? 0
        case .embedded, .auto, .within:
            throw MediaError(.notFound, "Such a picture is no position of a clip.")
        }
    }
}
