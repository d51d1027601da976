import Testing

@testable import LazyPipeline

@Suite struct PreviewGateTests {
    @Test func `a disabled policy is queried again each time the bytes have doubled, six times`() {
        var gate = PreviewGate(interval: .zero)
        var queried: [Int] = []
        for count in 1...2000 where gate.didReceive(count, at: .zero) == .ask {
            queried.append(count)
            gate.didDecide(.disabled)
        }
        #expect(queried == [1, 2, 4, 8, 16, 32, 64])
    }

    @Test func `one preview at a time is made, of new bytes and after the interval`() {
        var gate = PreviewGate(interval: .seconds(1))
        gate.didDecide(.incremental)
        #expect(gate.didReceive(10, at: .zero) == .make(.incremental))
        #expect(gate.didReceive(20, at: .seconds(5)) == .pass)
        gate.didFinish(hasPreview: true)
        #expect(gate.didReceive(10, at: .seconds(5)) == .pass)
        #expect(gate.didReceive(20, at: .milliseconds(999)) == .pass)
        #expect(gate.didReceive(20, at: .seconds(1)) == .make(.incremental))
    }

    @Test(arguments: [
        (PreviewPolicy.thumbnail, true, false), (.thumbnail, false, true),
        (.incremental, true, true),
    ])
    func `an embedded thumbnail is shown once`(
        policy: PreviewPolicy, hasPreview: Bool, goesOn: Bool
    ) {
        var gate = PreviewGate(interval: .zero)
        gate.didDecide(policy)
        #expect(gate.didReceive(10, at: .zero) == .make(policy))
        gate.didFinish(hasPreview: hasPreview)
        #expect(gate.didReceive(20, at: .zero) == (goesOn ? .make(policy) : .pass))
    }
}
