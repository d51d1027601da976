package import LazyMedia

extension Looping {
    /// The loop count that a file gets which is made from a source.
    package func written(for source: LoopCount) -> LoopCount {
        switch self {
        case .asAuthored: source
        case .forever: LoopCount(raw: nil, plays: nil)
        case .times(let count): LoopCount(raw: nil, plays: max(1, count))
        }
    }
}
