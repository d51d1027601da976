import Testing

@testable import LazyBase

@Suite struct TokenBucketTests {
    @Test func `a burst is allowed at once and then the rate`() {
        var bucket = TokenBucket(perSecond: 80, burst: 25)
        for _ in 0..<25 { #expect(bucket.take(at: .zero) == nil) }
        #expect(bucket.take(at: .zero) == .microseconds(12_500))
        #expect(bucket.take(at: .microseconds(12_500)) == nil)
        #expect(bucket.take(at: .microseconds(12_500)) == .milliseconds(25))
        for _ in 0..<25 { #expect(bucket.take(at: .seconds(10)) == nil) }
        #expect(bucket.take(at: .seconds(10)) != nil)
    }

    @Test func `a bucket never holds more than a burst`() {
        var bucket = TokenBucket(perSecond: 10, burst: 2)
        for now in [Duration.zero, .seconds(60)] {
            #expect(bucket.isFull(at: now))
            #expect((0..<3).map { _ in bucket.take(at: now) == nil } == [true, true, false])
            #expect(!bucket.isFull(at: now))
            #expect(bucket.nextToken(at: now) == now + .milliseconds(100))
        }
    }

    @Test(arguments: [(0.0, 1), (-3, 0), (1e9, 1)])
    func `an odd rate has a token at the start`(rate: Double, burst: Int) {
        var bucket = TokenBucket(perSecond: rate, burst: burst)
        #expect(bucket.take(at: .zero) == nil)
        #expect(bucket.nextToken(at: .zero) > .zero)
    }
}
