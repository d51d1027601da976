/// Which of several addresses of a picture is loaded next; a pure machine.
///
/// The first that fits into the budget; where none does, those that were only too large, from the
/// smallest on, without one. What failed is not tried again.
package struct AlternativePlan {
    /// The next load: a place among the addresses, and the bytes it may have.
    package struct Step: Equatable {
        package var place: Int
        package var budget: Int?
    }

    private enum Standing: Equatable {
        case untried
        /// Over the budget, by so many bytes in all; `.max` where nobody has counted.
        case tooLarge(Int)
        case over
    }
    private let budget: Int?
    private var standings: [Standing]

    /// The sizes of the addresses, as far as they are known, the best picture first.
    package init(sizes: [Int?], budget: Int?) {
        self.budget = budget
        standings = sizes.map { size in
            guard let size, let budget, size > budget else { return .untried }
            return .tooLarge(size)
        }
    }

    /// What is to be loaded now; nil where all have been tried.
    package mutating func next() -> Step? {
        if let place = standings.firstIndex(of: .untried) {
            standings[place] = .over
            return Step(place: place, budget: budget)
        }
        // Of equals the last: the worse picture is likely to be the smaller one.
        let sizes = standings.indices.compactMap { place -> (place: Int, size: Int)? in
            guard case .tooLarge(let size) = standings[place] else { return nil }
            return (place, size)
        }
        guard let smallest = sizes.min(by: { ($0.size, -$0.place) < ($1.size, -$1.place) }) else {
            return nil
        }
        standings[smallest.place] = .over
        return Step(place: smallest.place, budget: nil)
    }

    /// The load of a place was ended: it is over the budget.
    package mutating func wasTooLarge(_ place: Int, size: Int?) {
        standings[place] = .tooLarge(size ?? .max)
    }
}
