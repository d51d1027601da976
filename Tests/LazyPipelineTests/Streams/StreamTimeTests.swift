import LazyBase
import LazyMedia
import Testing

@testable import LazyPipeline

/// The time that a stream of many segments may take.
@Suite struct StreamTimeTests {
    private let limits = DecodingLimits(openTime: .seconds(10), decodeTime: .seconds(3600))

    private func excess(_ body: () throws(MediaError) -> Void) -> String? {
        do throws(MediaError) { try body() } catch { return error.excess?.limit }
        return nil
    }

    @Test func `segments have the rest of one limit`() throws {
        let time = StreamTime(opening: limits, spent: .seconds(4))
        try time.spend(.seconds(3))
        let left = try time.opening(CancellationFlag()) { (limits, _) throws(MediaError) in
            limits.openTime
        }
        #expect(try #require(left) <= .seconds(3))
        #expect(excess { () throws(MediaError) in try time.spend(.seconds(4)) } == "openTime")
        let late = excess { () throws(MediaError) in
            try time.opening(CancellationFlag()) { (_, _) in
                _ = Issue.record("there is no time")
            }
        }
        #expect(late == "openTime")
    }

    @Test func `what a reader opens counts as its decoding`() throws {
        let time = StreamTime(reading: limits)
        try time.spend(.seconds(3000))
        let own = try time.opening(CancellationFlag()) { (limits, _) throws(MediaError) in limits }
        #expect(own.openTime == .seconds(10))
        #expect(excess { () throws(MediaError) in try time.spend(.seconds(600)) } == "decodeTime")
    }

    @Test(.timeLimit(.minutes(1))) func `work that looks at no clock is ended`() {
        let time = StreamTime(opening: DecodingLimits(openTime: .milliseconds(20)))
        let limit = excess { () throws(MediaError) in
            try time.opening(CancellationFlag()) { (_, flag) throws(MediaError) in
                wait(for: flag)
                throw .cancelled
            }
        }
        #expect(limit == "openTime")
    }

    @Test(.timeLimit(.minutes(1))) func `cancelling is no excess`() {
        let outer = CancellationFlag()
        let time = StreamTime(opening: limits)
        let error = #expect(throws: MediaError.self) {
            try time.opening(outer) { (_, flag) throws(MediaError) in
                outer.cancel()
                wait(for: flag)
                throw .cancelled
            }
        }
        #expect(error?.code == .cancelled)
    }

    @Test func `without a limit nothing ends it`() throws {
        let time = StreamTime(opening: DecodingLimits(), spent: .seconds(1_000_000))
        #expect(time.left == nil)
        try time.spend(.seconds(1))
    }

    private func wait(for flag: CancellationFlag) {
        let condition = Condition()
        let registration = flag.onCancel {
            condition.isSet.withLock { $0 = true }
            condition.isSet.signal()
        }
        condition.isSet.wait { $0 ? () : nil }
        flag.forget(registration)
    }
}

private final class Condition: Sendable {
    let isSet = LockedCondition(false)
}
