import Testing

@testable import LazyGTK

@Suite struct UploadBudgetTests {
    @Test func `a frame takes what fits, and always one`() {
        var budget = UploadBudget(time: .milliseconds(4))
        // 4 ms at 13 ns a pixel.
        #expect(budget.pixelsPerFrame == 307_692)
        budget.beginFrame()
        #expect(budget.taken([1_000_000, 1, 0]) == [true, false, true])
        budget.beginFrame()
        #expect(budget.taken([200_000, 100_000, 100_000]) == [true, true, false])
    }

    @Test func `the cost of a pixel is learned from frames, slowly`() {
        var budget = UploadBudget()
        for _ in 0..<200 {
            budget.beginFrame()
            #expect(budget.taken([100_000]) == [true])
            budget.didDraw(in: .milliseconds(3))
        }
        #expect(abs(budget.pixelCost - 30) < 0.5)
        let before = budget.pixelCost
        budget.beginFrame()
        #expect(budget.taken([100_000]) == [true])
        budget.didDraw(in: .seconds(10))
        #expect(budget.pixelCost < before * 1.5)
    }

    @Test func `what a frame costs without pictures is not theirs`() {
        var budget = UploadBudget()
        for _ in 0..<200 {
            budget.beginFrame()
            budget.didDraw(in: .milliseconds(2))
        }
        for _ in 0..<200 {
            budget.beginFrame()
            #expect(budget.taken([100_000]) == [true])
            budget.didDraw(in: .milliseconds(3))
        }
        #expect(abs(budget.pixelCost - 10) < 0.5)
    }
}

extension UploadBudget {
    /// Which pictures a frame takes.
    fileprivate mutating func taken(_ pixels: [Int]) -> [Bool] {
        var answers: [Bool] = []
        for count in pixels { answers.append(takes(pixels: count)) }
        return answers
    }
}

@Suite struct DecodeSizeTests {
    @Test func `a size has the pixels of the screen, and of the zoom`() {
        #expect(DecodeSize(width: 100, height: 50, scale: 2)?.width == 200)
        #expect(DecodeSize(width: 100, height: 50, scale: 1, zoom: 1.5)?.height == 75)
        #expect(DecodeSize(width: 100, height: 50, scale: 1, zoom: 0.5)?.height == 50)
        #expect(DecodeSize(width: 100, height: 50, scale: 1, quarterTurns: 3)?.width == 50)
        #expect(DecodeSize(width: 0, height: 50, scale: 1) == nil)
    }

    @Test func `a view that shrinks needs no other pixels`() throws {
        let small = try #require(DecodeSize(width: 100, height: 50, scale: 1))
        let large = try #require(DecodeSize(width: 120, height: 40, scale: 1))
        #expect(large.exceeds(small))
        #expect(small.exceeds(large))
        #expect(!small.exceeds(small.union(large)))
    }
}
