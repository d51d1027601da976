internal import LazyMedia

extension Reports {
    /// `poster --explain`: a line per candidate frame, with a mark at the selected one.
    static func explanation(_ poster: Poster) -> String {
        guard let chosen = poster.timing else { return "The image embedded in the container.\n" }
        guard !poster.candidates.isEmpty else {
            return "Frame \(chosen.index) at \(chosen.presentation) s, as requested.\n"
        }
        let head = [
            "frame", "pts s", "score", "bright", "variety", "sharp", "contrast", "coverage",
        ]
        let rows = poster.candidates.map { candidate in
            let score = candidate.score
            let numbers = [
                score.total, score.brightness, score.variety, score.sharpness, score.contrast,
                score.coverage,
            ]
            let time = candidate.timing.presentation
            let mark = time == chosen.presentation ? " *" : ""
            return [String(candidate.timing.index), time.description].columns(10)
                + numbers.map(decimals).columns(10) + mark
        }
        return ([head.columns(10)] + rows).map { $0 + "\n" }.joined()
    }

    private static func decimals(_ score: Double) -> String {
        let thousandths = Int(saturating: score * 1000)
        return "\(thousandths / 1000).\(String(thousandths % 1000).padded(to: 3))"
    }
}

extension [String] {
    /// The texts as right-aligned columns.
    func columns(_ width: Int) -> String {
        map { String(repeating: " ", count: Swift.max(0, width - $0.count)) + $0 }.joined()
    }
}
