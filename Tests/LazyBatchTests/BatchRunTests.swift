import Support
import Testing

@testable import LazyBatch

/// What the failures of items mean for a run.
@Suite(.ownThreads) struct BatchRunTests {
    private struct Product: BatchProduct {
        let outputs: [String] = []
    }

    /// The items that ended, of three of which the first fails, and whether the run did.
    private func run(_ effect: BatchFailure.Effect) async -> (ended: Int, isOver: Bool) {
        let items = (0..<3).map { number in
            BatchItem<Product>(
                input: BatchInput(path: "/in/\(number)"), outputs: ["out-\(number)"], options: ""
            ) { (_, _) throws(BatchFailure) in
                if number == 0 { throw BatchFailure(effect, "test", "It failed.") }
                return Product()
            }
        }
        var ended = 0
        do throws(BatchFailure) {
            try await BatchRun(items, rules: BatchRules(jobs: 1)).run { _, _ in ended += 1 }
            return (ended, false)
        } catch {
            return (ended, error.effect == effect)
        }
    }

    @Test func `a failure of an item leaves the others, and one of the run ends it`() async {
        #expect(await run(.failsItem) == (3, false))
        #expect(await run(.endsRun) == (0, true))
    }
}
