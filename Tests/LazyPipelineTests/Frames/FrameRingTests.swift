import Support
import Testing

@testable import LazyPipeline

struct FrameRingTests {
    /// A ring of one viewer, number 1.
    func ring(count: Int?, capacity: Int) -> FrameRing {
        var ring = FrameRing(count: count)
        ring.join(1)
        #expect(ring.setCapacity(capacity).isEmpty)
        return ring
    }

    /// Lets a ring decode until it has nothing to do.
    func settle(_ ring: inout FrameRing, _ first: [FrameRing.Action]) -> [FrameRing.Action] {
        var all = first
        var queue = first
        while let action = queue.first {
            queue.removeFirst()
            guard case .decode(let frame) = action else { continue }
            let more =
                ring.count.map { frame >= $0 } ?? false
                ? ring.reachedEnd(at: frame) : ring.decoded(frame)
            all += more
            queue += more
        }
        return all
    }

    @Test func `a sequence that fits is decoded once`() {
        var ring = ring(count: 4, capacity: 4)
        var actions = settle(&ring, ring.request(1, 0))
        for frame in [1, 2, 3, 0, 1, 2, 3, 0] { actions += settle(&ring, ring.request(1, frame)) }
        #expect(actions.filter { if case .decode = $0 { true } else { false } }.count == 4)
        #expect(!actions.contains { if case .drop = $0 { true } else { false } })
        #expect(ring.isWhole)
    }

    @Test func `a waiting viewer comes before look-ahead, also after another was served`() {
        var ring = ring(count: 100, capacity: 8)
        ring.join(2)
        #expect(ring.request(1, 0) == [.decode(0)])
        #expect(ring.decoded(0) == [.deliver(viewer: 1, frame: 0), .decode(1)])
        #expect(ring.request(2, 50) == [])
        #expect(ring.decoded(1) == [.decode(50)])
    }

    @Test func `look-ahead continues at the reader's position`() {
        var ring = ring(count: 100, capacity: 4)
        ring.join(2)
        #expect(ring.request(1, 10) == [.decode(10)])
        #expect(ring.request(2, 5) == [])
        #expect(ring.decoded(10) == [.deliver(viewer: 1, frame: 10), .decode(5)])
        #expect(ring.decoded(5) == [.deliver(viewer: 2, frame: 5), .decode(6)])
    }

    @Test func `frames beyond the end are no longer kept`() {
        var ring = ring(count: nil, capacity: 8)
        _ = ring.request(1, 0)
        for frame in 0..<3 { _ = ring.decoded(frame) }
        #expect(ring.held == [0, 1, 2])
        let actions = ring.reachedEnd(at: 1)
        #expect(actions.contains(.drop(1)) && actions.contains(.drop(2)))
        #expect(ring.held == [0] && ring.isWhole)
    }

    @Test func `nothing is planned while the capacity is undecided`() {
        var ring = ring(count: 4, capacity: 4)
        ring.isUndecided = true
        #expect(ring.request(1, 0) == [])
        ring.isUndecided = false
        #expect(ring.plan() == [.decode(0)])
    }

    @Test func `a sequence that does not fit is decoded ahead and dropped after use`() {
        var ring = ring(count: 100, capacity: 3)
        #expect(
            settle(&ring, ring.request(1, 0)) == [
                .decode(0), .deliver(viewer: 1, frame: 0), .decode(1), .decode(2),
            ])
        #expect(
            settle(&ring, ring.request(1, 1)) == [
                .deliver(viewer: 1, frame: 1), .drop(0), .decode(3),
            ])
        #expect(ring.held == [1, 2, 3])
        #expect(settle(&ring, ring.request(1, 99)).first == .drop(2))
        #expect(ring.held == [99, 0, 1])
    }

    @Test func `frames held by viewers leave less room for the look-ahead`() {
        var ring = ring(count: 100, capacity: 3)
        ring.room.outside = 2
        #expect(
            settle(&ring, ring.request(1, 0)) == [.decode(0), .deliver(viewer: 1, frame: 0)])
        ring.room.outside = 1
        #expect(settle(&ring, ring.plan()) == [.decode(1)])
    }

    @Test func `without room only requested frames are decoded`() {
        var ring = ring(count: 100, capacity: 5)
        ring.room.isOpen = false
        #expect(
            settle(&ring, ring.request(1, 7)) == [.decode(7), .deliver(viewer: 1, frame: 7)])
        // What is dropped makes room soon.
        #expect(ring.request(1, 8) == [.drop(7)])
        #expect(ring.isDeferred)
        ring.room.isFreeing = true
        #expect(ring.plan().isEmpty)
        ring.room.isFreeing = false
        #expect(ring.plan() == [.decode(8)])
    }

    @Test func `viewers at the same frame share it`() {
        var ring = ring(count: 100, capacity: 4)
        ring.join(2)
        #expect(ring.request(1, 0) == [.decode(0)])
        #expect(ring.request(2, 0).isEmpty)
        #expect(
            ring.decoded(0) == [
                .deliver(viewer: 1, frame: 0), .deliver(viewer: 2, frame: 0), .decode(1),
            ])
    }

    @Test func `the first and the last viewer are both served`() {
        var ring = ring(count: 100, capacity: 4)
        ring.join(2)
        _ = settle(&ring, ring.request(1, 10))
        _ = settle(&ring, ring.request(2, 50))
        #expect(ring.held == [10, 11, 50, 51])
    }

    @Test func `a reversed viewer looks ahead backwards`() {
        var ring = ring(count: 10, capacity: 3)
        ring.setStep(1, -1)
        _ = settle(&ring, ring.request(1, 1))
        #expect(ring.held == [1, 0, 9])
    }

    @Test func `a paused viewer keeps no frames but is served`() {
        var ring = ring(count: 10, capacity: 3)
        #expect(ring.setActive(1, false).isEmpty)
        #expect(ring.claimants == 0)
        #expect(
            settle(&ring, ring.request(1, 5)) == [
                .decode(5), .deliver(viewer: 1, frame: 5), .drop(5),
            ])
    }

    @Test func `an unknown end is found`() {
        var ring = ring(count: nil, capacity: 4)
        #expect(ring.request(1, 0) == [.decode(0)])
        #expect(ring.decoded(0) == [.deliver(viewer: 1, frame: 0), .decode(1)])
        #expect(ring.decoded(1) == [.decode(2)])
        #expect(ring.reachedEnd(at: 2).isEmpty)
        #expect(ring.count == 2)
        #expect(ring.request(1, 2).first == .end(viewer: 1))
        #expect(ring.isWhole)
    }

    @Test func `an error reaches the waiting viewer and is not retried without one`() {
        var ring = ring(count: 10, capacity: 3)
        _ = ring.request(1, 0)
        #expect(ring.failed(at: 0) == [.fail(viewer: 1)])
        #expect(ring.plan().isEmpty)
        #expect(ring.request(1, 0) == [.decode(0)])
    }

    @Test func `an error reaches only the viewers of that frame`() {
        var ring = ring(count: 10, capacity: 6)
        ring.join(2)
        _ = ring.request(1, 5)
        _ = ring.request(2, 2)
        #expect(ring.failed(at: 5) == [.fail(viewer: 1), .decode(2)])
        #expect(ring.decoded(2).first == .deliver(viewer: 2, frame: 2))
    }

    @Test func `if all frames fit, none is dropped`() {
        let count = 20_000
        var ring = ring(count: count, capacity: count)
        var decoded: [Int] = []
        var queue = ring.request(1, 15_000)
        while let action = queue.popLast() {
            guard case .decode(let frame) = action else { continue }
            decoded.append(frame)
            queue += ring.decoded(frame)
        }
        #expect(decoded == Array(15_000..<count) + Array(0..<15_000))
        #expect(ring.isWhole)
    }

    @Test func `waiting viewers are served in turn, one frame at a time`() {
        var ring = ring(count: 100, capacity: 2)
        ring.join(2)
        #expect(ring.request(1, 10) == [.decode(10)])
        #expect(ring.request(2, 70).isEmpty)
        #expect(ring.decoded(10) == [.deliver(viewer: 1, frame: 10), .decode(70)])
    }

    @Test func `random events never exceed the capacity and serve every viewer`() {
        var random = SplitMix(7)
        var ring = FrameRing(count: 30)
        _ = ring.setCapacity(5)
        for id in 0..<3 { ring.join(id) }
        var waits: Set<Int> = []
        var decoding: [Int] = []
        func note(_ actions: [FrameRing.Action]) {
            for action in actions {
                switch action {
                case .deliver(let viewer, _), .end(let viewer), .fail(let viewer):
                    #expect(waits.remove(viewer) != nil)
                case .decode(let frame): decoding.append(frame)
                case .drop: break
                }
            }
        }
        for _ in 0..<20_000 {
            let id = Int.random(in: 0..<3, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<2:
                waits.insert(id)
                note(ring.request(id, Int.random(in: 0..<32, using: &random)))
            case 2: note(ring.setActive(id, Bool.random(using: &random)))
            case 3:
                waits.remove(id)
                note(ring.giveUp(id))
            case 4: note(ring.setCapacity(Int.random(in: 4...9, using: &random)))
            default:
                guard let frame = decoding.popLast() else { continue }
                note(ring.decoded(frame))
            }
            #expect(decoding.count <= 1)
            #expect(ring.held.count <= ring.capacity + 1)
            #expect(waits.isEmpty || !decoding.isEmpty, "somebody waits and nothing is done")
        }
    }
}
