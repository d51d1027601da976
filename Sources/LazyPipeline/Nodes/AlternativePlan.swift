/// Decides which of several URLs of an image is loaded next; a pure machine.
///
/// The first within the budget; if none is, those that are only too large, from the
/// smallest on, without a budget. A failed URL is not tried again.
package struct AlternativePlan {
    /// The next load: the index of the URL, and the maximum size.
    package struct Step: Equatable {
        package var place: Int
        package var budget: Int?
    }

    private enum Standing: Equatable {
        case untried
        /// Over the budget, with its size; `.max` if unknown.
        case tooLarge(Int)
        case over
    }
    private let budget: Int?
    private var standings: [Standing]

    /// Creates a plan from the known sizes of the URLs, best image first.
    package init(sizes: [Int?], budget: Int?) {
        self.budget = budget
        standings = sizes.map { size in
            guard let size, let budget, size > budget else { return .untried }
            return .tooLarge(size)
        }
    }

    /// The next step; nil if all URLs have been tried.
    package mutating func next() -> Step? {
        if let place = standings.firstIndex(of: .untried) {
            standings[place] = .over
            return Step(place: place, budget: budget)
        }
        // Of equal sizes the last: the worse image is likely to be the smaller one.
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

    /// The load of a URL was cancelled, because it exceeds the budget.
    package mutating func wasTooLarge(_ place: Int, size: Int?) {
        standings[place] = .tooLarge(size ?? .max)
    }
}
