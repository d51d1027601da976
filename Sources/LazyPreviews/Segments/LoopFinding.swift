/// Finds where a run of frames comes back to where it was; pure.
struct LoopFinding {
    /// The shortest loop.
    let least: Duration
    /// The longest loop.
    let most: Duration

    /// A loop: the frame at `end` looks as that at `start`, and goes on as it does.
    struct Loop: Hashable {
        var start: Int
        var end: Int
        /// How much larger the step from end to start is than the steps around, 1 being none.
        var jump: Double
    }

    /// The best loop of frames in a row, or nil where each would jump.
    ///
    /// O(frames²) comparisons of small pictures.
    func find(_ frames: [FrameFeatures], cuts: [Int]) -> Loop? {
        let steps = frames.indices.map { $0 == 0 ? 0 : frames[$0].difference(frames[$0 - 1]) }
        var best: (loop: Loop, worth: Double)?
        for start in frames.indices.dropFirst() {
            for end in frames.indices where end > start && end + 1 < frames.count {
                let length = frames[end].time - frames[start].time
                guard length >= least, length <= most,
                    !cuts.contains(where: { $0 > start - 1 && $0 <= end + 1 })
                else { continue }
                guard let jump = jump(frames, steps, start, end) else { continue }
                // A longer loop is worth a little more of a jump.
                let worth = -jump + 0.3 * (length / most)
                if best.map({ worth > $0.worth }) ?? true {
                    best = (Loop(start: start, end: end, jump: jump), worth)
                }
            }
        }
        return best?.loop
    }

    /// The seam against the steps around it, or nil where it is not good.
    private func jump(
        _ frames: [FrameFeatures], _ steps: [Float], _ start: Int, _ end: Int
    ) -> Double? {
        let seam = frames[end].difference(frames[start])
        // The picture before and the one behind must fit too: not only the place, also the way.
        let before = frames[end - 1].difference(frames[start - 1])
        let after = frames[end + 1].difference(frames[start + 1])
        let usual = (steps[start] + steps[end] + steps[start + 1] + steps[end + 1]) / 4
        let worst = max(seam, before, after)
        guard worst <= max(0.003, 0.6 * usual) else { return nil }
        // Something has to happen in between: what stands still needs no loop.
        let away = (start...end).map { frames[$0].difference(frames[start]) }.max() ?? 0
        guard away > max(0.015, 4 * worst) else { return nil }
        return Double(worst / max(usual, 0.002))
    }
}
