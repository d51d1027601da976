/// What is shown at a time, as events are added in the order in which they begin.
struct ShownEvents {
    private struct Shown {
        let end: Int64
        let cost: EventCost
        /// Nil for one whose masks no other one has.
        let shape: Int?
    }
    private var shown: [Shown] = []
    /// Events of one shape are drawn from the same masks.
    private var shapes: [Int: Int] = [:]
    private var firstEnd = Int64.max
    private var bytes = 0.0
    private var characters = 0
    private var points = 0
    private var text = 0

    /// Adds an event, unless more would be shown at its beginning than can be drawn.
    mutating func add(from start: Int64, to end: Int64, _ cost: EventCost) -> Bool {
        if start >= firstEnd { expire(at: start) }
        let shape = cost.isAnimated ? nil : cost.shape.finalize()
        let added = shape.flatMap { shapes[$0] } == nil ? cost.bytes : 0
        guard cost.bytes <= Double(ScriptBounds.eventBytes), shown.count < ScriptBounds.shownEvents,
            bytes + added <= Double(ScriptBounds.shownBytes),
            characters + cost.characters <= ScriptBounds.shownCharacters,
            points + cost.points <= ScriptBounds.shownPoints,
            text + cost.text <= ScriptBounds.shownText
        else { return false }
        if let shape { shapes[shape, default: 0] += 1 }
        shown.append(Shown(end: end, cost: cost, shape: shape))
        bytes += added
        count(cost, 1)
        firstEnd = min(firstEnd, end)
        return true
    }

    private mutating func count(_ cost: EventCost, _ sign: Int) {
        characters += sign * cost.characters
        points += sign * cost.points
        text += sign * cost.text
    }

    /// Removes what is not shown any more.
    private mutating func expire(at time: Int64) {
        for event in shown where event.end <= time { remove(event) }
        shown.removeAll { $0.end <= time }
        firstEnd = shown.map(\.end).min() ?? .max
    }

    private mutating func remove(_ event: Shown) {
        count(event.cost, -1)
        guard let shape = event.shape else { return bytes -= event.cost.bytes }
        let left = (shapes[shape] ?? 1) - 1
        shapes[shape] = left > 0 ? left : nil
        if left == 0 { bytes -= event.cost.bytes }
    }
}
