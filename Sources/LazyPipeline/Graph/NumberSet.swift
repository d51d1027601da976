/// A set of numbers that nearly always has at most one, and then needs no memory of its own.
struct NumberSet: Sequence {
    /// Nil if the set is empty.
    private var one: Int?
    private var others: Set<Int> = []

    var isEmpty: Bool { one == nil }

    mutating func insert(_ number: Int) {
        guard let one else { return one = number }
        if one != number { others.insert(number) }
    }

    mutating func remove(_ number: Int) {
        if one == number { one = others.popFirst() } else { others.remove(number) }
    }

    struct Iterator: IteratorProtocol {
        fileprivate var one: Int?
        fileprivate var others: Set<Int>.Iterator

        mutating func next() -> Int? { one.take() ?? others.next() }
    }

    func makeIterator() -> Iterator { Iterator(one: one, others: others.makeIterator()) }
}
