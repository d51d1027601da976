import Testing

@testable import LazyPipeline

@Suite struct NumberSetTests {
    @Test func `it has the numbers that a set has, in any order of changes`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            var (numbers, expected) = (NumberSet(), Set<Int>())
            for _ in 0..<40 {
                let number = Int.random(in: 0..<6, using: &random)
                if Bool.random(using: &random) {
                    numbers.insert(number)
                    expected.insert(number)
                } else {
                    numbers.remove(number)
                    expected.remove(number)
                }
                #expect(numbers.sorted() == expected.sorted())
                #expect(numbers.isEmpty == expected.isEmpty)
            }
        }
    }
}
