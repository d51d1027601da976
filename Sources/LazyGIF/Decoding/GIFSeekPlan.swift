internal import LazyMedia

/// What must be drawn so that the canvas is as it is before a certain image.
///
/// Images that restore what was there leave nothing behind and are left out; of those that clear
/// their rectangle only that matters. Neither is decompressed.
struct GIFSeekPlan {
    enum Step: Hashable {
        case draw(Int)
        case clear(Int)
    }

    /// Whether drawing begins on a transparent canvas, and not on what is there.
    private(set) var startsBlank = false
    /// In the order they are to be done.
    private(set) var steps: [Step] = []

    /// Makes a plan to reach `target` when the image before `position` stands on the canvas.
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
