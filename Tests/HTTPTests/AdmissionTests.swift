import Testing

@testable import LazyLoading

@Suite struct AdmissionTests {
    private func admission(
        perHost: Int = 2, total: Int = 3, rate: HTTPConfiguration.RateLimit? = nil
    ) -> Admission { Admission(perHost: perHost, total: total, rate: rate) }

    @Test func `transfers beyond a host's limit wait in order`() {
        var admission = admission()
        for id in 1...4 { admission.enqueue(id, host: "a") }
        #expect(admission.admit(now: .zero) == [1, 2])
        #expect(admission.admit(now: .zero) == [])
        #expect(admission.nextChance(now: .zero) == nil)
        admission.remove(1)
        #expect(admission.nextChance(now: .seconds(1)) == .seconds(1))
        #expect(admission.admit(now: .zero) == [3])
        admission.remove(4)
        admission.remove(2)
        #expect(admission.admit(now: .zero) == [])
    }

    @Test func `hosts take turns within the total limit`() {
        var admission = admission()
        for id in 1...3 { admission.enqueue(id, host: "a") }
        for id in 4...6 { admission.enqueue(id, host: "b") }
        #expect(admission.admit(now: .zero) == [1, 4, 2])
        admission.remove(1)
        #expect(admission.admit(now: .zero) == [3])
    }

    @Test func `a multiplexing host has a higher limit`() {
        var admission = admission(perHost: 1, total: 1000)
        for id in 0..<200 { admission.enqueue(id, host: "a") }
        #expect(admission.admit(now: .zero).count == 1)
        admission.noteMultiplexing("a")
        #expect(admission.admit(now: .zero).count == Admission.streamsPerHost - 1)
    }

    @Test func `each host has a burst and then a rate`() {
        var admission = admission(perHost: 1000, total: 1000, rate: .init(perSecond: 80, burst: 25))
        for id in 0..<30 { admission.enqueue(id, host: "a") }
        for id in 100..<110 { admission.enqueue(id, host: "b") }
        #expect(admission.admit(now: .zero).count == 35)
        #expect(admission.nextChance(now: .zero) == .microseconds(12_500))
        #expect(admission.admit(now: .microseconds(12_499)) == [])
        #expect(admission.admit(now: .microseconds(12_500)) == [25])
        #expect(admission.admit(now: .milliseconds(50)) == [26, 27, 28])
        #expect(admission.admit(now: .seconds(100)) == [29])
        #expect(admission.nextChance(now: .seconds(100)) == nil)
    }

    @Test func `a cancelled waiting transfer takes no token`() {
        var admission = admission(perHost: 9, total: 9, rate: .init(perSecond: 1, burst: 1))
        admission.enqueue(1, host: "a")
        admission.remove(1)
        admission.enqueue(2, host: "a")
        #expect(admission.admit(now: .zero) == [2])
    }
}
