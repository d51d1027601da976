internal import LazyMedia

/// The steps that bring the canvas to the state before a certain image.
///
/// Images with disposal "restore" leave nothing and are skipped; of those with "clear" only the
/// clearing matters. Neither is decompressed.
struct GIFSeekPlan {
    enum Step: Hashable {
        case draw(Int)
        case clear(Int)
    }

    /// Whether drawing begins on a transparent canvas.
    private(set) var startsBlank = false
    /// The steps in order.
    private(set) var steps: [Step] = []

    /// Makes a plan to reach `target` when the image before `position` is on the canvas.
    ///
    /// `isKey` says whether an image can be composed on a transparent canvas.
    init(to target: Int, from position: Int?, images: [GIFImage], isKey: (Int) -> Bool) {
        var index = target
        var needsBefore = position != index && !isKey(index)
        while needsBefore, index > 0 {
            index -= 1
            switch images[index].disposal {
            case .keep:
                steps.append(.draw(index))
                needsBefore = !isKey(index)
            case .clear:
                steps.append(.clear(index))
                needsBefore = !images[index].startsBlank
            case .restore:
                needsBefore = !images[index].startsBlank
            }
            if needsBefore, index == position { needsBefore = false }
        }
        startsBlank = position != index
        steps.reverse()
    }
}
