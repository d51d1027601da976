internal import LazyMedia

extension ClipEdit {
    /// The edit in one line; equal lines are equal edits.
    public var identifier: String {
        let pieces = segments.map { "\($0.lowerBound.nanoseconds)-\($0.upperBound.nanoseconds)" }
        let rate = frameRate.map { "\($0.reduced)" } ?? "source"
        return [
            "segments=\(pieces.joined(separator: "+"))", "rate=\(rate)", "speed=\(speed)",
            "reverse=\(isReversed)", "bounce=\(isBouncing)", "crossfade=\(crossfade.nanoseconds)",
            "size=\(size?.identifier ?? "source")", "gravity=\(gravity.identifier)",
        ].joined(separator: ",")
    }
}

extension TargetSize {
    fileprivate var identifier: String {
        let sides = [width, height].map { $0.map(String.init) ?? "" }
        return "\(sides.joined(separator: "x"))/\(fit.rawValue)"
    }
}

extension Gravity {
    fileprivate var identifier: String {
        switch self {
        case .centre: "centre"
        case .edge(let edge): edge.rawValue
        case .point(let x, let y): "\(x)/\(y)"
        case .entropy: "entropy"
        case .attention: "attention"
        }
    }
}
