import LazyMedia
import Testing

@testable import LazyLoading
@testable import LazyPipeline

/// Where segments are by their own clocks, beside what the playlist says.
@Suite struct SegmentClockTests {
    private typealias Reading = SegmentClock.Reading

    /// A playlist of segments of some seconds; a negative length begins a run.
    private func playlist(_ lengths: [Double], isRounded: Bool = false) throws -> StreamPlaylist {
        let base = StreamBase(nil, isPrivate: false)
        var playlist = StreamPlaylist(base)
        let budget = StreamBudget(
            StreamLimits(memory: nil, time: nil), CancellationFlag())
        for length in lengths {
            try playlist.append(
                .init(name: SegmentName(), naming: 0, isLocal: false),
                duration: .seconds(abs(length)), continues: length > 0, budget)
        }
        playlist.hasRoundedLengths = isRounded
        return playlist
    }

    /// Pictures of 0.1 s from a time of a clock on.
    private func reading(_ start: Double, _ length: Double, wraps: Bool = false) -> Reading {
        let first = MediaTime(.seconds(start))
        return Reading(
            zero: first, first: first, end: first + MediaTime(.seconds(length)),
            frame: .milliseconds(100), wraps: wraps)
    }

    private func at(_ seconds: Double) -> SegmentClock.Answer { .at(MediaTime(.seconds(seconds))) }

    @Test func `a segment as long as the playlist says is where it says`() throws {
        var clock = SegmentClock(try playlist([2, 2.04, 2]))
        clock.read(2, reading(14.04, 2))
        #expect(clock.start(of: 2) == at(4.04) && !clock.isInexact)
        #expect(clock.place(showing: .seconds(4.1)) == 2)
    }

    @Test func `a segment of another length is placed by the clock of the first`() throws {
        var clock = SegmentClock(try playlist([2, 2, 2]))
        clock.read(2, reading(13.5, 1.5))
        #expect(clock.start(of: 2) == .opening(0))
        clock.read(0, reading(10, 1.7))
        #expect(clock.start(of: 2) == at(3.5))
        #expect(clock.place(showing: .seconds(4)) == 2)
        #expect(clock.place(showing: .seconds(3)) == 1)
        #expect(clock.estimate(of: 3) == .seconds(5))
    }

    @Test func `lengths in whole seconds are believed where the clock begins at zero`() throws {
        var clock = SegmentClock(try playlist([2, 2, 2], isRounded: true))
        clock.read(2, reading(4, 2))
        #expect(clock.start(of: 2) == at(4) && !clock.isInexact)
        clock.read(1, reading(1.7, 2))
        #expect(clock.start(of: 1) == .opening(0))
    }

    @Test func `a clock of a transport stream begins anew after a day`() throws {
        let period = Double(1 << 33) / 90_000
        var clock = SegmentClock(try playlist([2, 2, 2], isRounded: true))
        clock.read(0, reading(period - 1, 1.5, wraps: true))
        clock.read(2, reading(2.25, 1.5, wraps: true))
        guard case .at(let start) = clock.start(of: 2) else {
            Issue.record("another segment is asked for")
            return
        }
        #expect(abs(start.duration / .seconds(1) - 3.25) < 1e-6)
    }

    @Test func `a clock that was set anew tells nothing`() throws {
        var clock = SegmentClock(try playlist([2, 2, 2], isRounded: true))
        clock.read(0, reading(5000, 2))
        clock.read(1, reading(0, 2))
        clock.read(2, reading(90_000, 2))
        #expect(clock.start(of: 1) == at(2) && clock.start(of: 2) == at(4))
    }

    @Test func `a run begins where the one before ends`() throws {
        var clock = SegmentClock(try playlist([2, 2, -2, 2], isRounded: true))
        clock.read(3, reading(101.5, 2))
        var asked: [Int] = []
        while case .opening(let place) = clock.start(of: 3), asked.count < 9 {
            asked.append(place)
            clock.read(
                place, [0: reading(10, 1.6), 1: reading(11.6, 1.8), 2: reading(100, 1.5)][place])
        }
        #expect(Set(asked) == [0, 1, 2])
        #expect(clock.start(of: 2) == at(3.4) && clock.start(of: 3) == at(4.9))
    }

    @Test func `what is not there is not asked for again`() throws {
        var clock = SegmentClock(try playlist([2, 2, 2, 2, 2], isRounded: true))
        clock.read(4, reading(6.5, 2))
        #expect(clock.start(of: 4) == .opening(0))
        clock.isMissing(0)
        #expect(clock.start(of: 4) == .opening(1))
        clock.read(1, nil)
        #expect(clock.start(of: 4) == .opening(2))
        clock.isMissing(2)
        #expect(clock.start(of: 4) == at(8))
    }

    @Test(arguments: [1.0, 1.2, 0.8, 1.9])
    func `the segment at a time is found in few steps`(factor: Double) throws {
        let lengths = (0..<500).map { 2 + Double($0 * 7 % 11) / 10 }
        let starts = lengths.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + $1) }
        let stated = lengths.enumerated().map { $1 * ($0.isMultiple(of: 3) ? 1 : factor) }
        var most = 0
        for time in stride(from: 1.05, to: 1200, by: 97.3) {
            var clock = SegmentClock(try playlist(stated, isRounded: true))
            var opened: [Int] = []
            while opened.count < 30 {
                let place = clock.place(showing: .seconds(time))
                if opened.contains(place) { break }
                opened.append(place)
                clock.read(place, reading(10 + starts[place], lengths[place]))
                if case .opening(let other) = clock.start(of: place) {
                    clock.read(other, reading(10 + starts[other], lengths[other]))
                }
            }
            let place = clock.place(showing: .seconds(time))
            #expect(starts[place] <= time && time < starts[place + 1])
            most = max(most, opened.count)
        }
        #expect(most <= 5)
    }

    @Test func `times that no clock has are harmless`() throws {
        let times: [Int64] = [.min, -1, 0, 1, .max]
        for zero in times {
            for end in times {
                var clock = SegmentClock(try playlist([0, 0, 1e-6, 2, 0], isRounded: true))
                for place in 0..<5 {
                    let start = MediaTime(ticks: zero, base: Rational(1, Int64(place + 1)))
                    clock.read(
                        place,
                        Reading(
                            zero: start, first: start,
                            end: MediaTime(
                                ticks: end, base: Rational(place.isMultiple(of: 2) ? 1 : .max, 1)),
                            frame: .seconds(zero >> 24), wraps: true))
                }
                for place in 0..<5 {
                    _ = (clock.start(of: place), clock.estimate(of: place + 1))
                    #expect((0..<5).contains(clock.place(showing: .seconds(place * 1000))))
                }
            }
        }
    }

    @Test func `clocks that contradict each other are harmless`() throws {
        var number: UInt64 = 1
        func next(below limit: Int) -> Int {
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(number >> 33) % limit
        }
        for _ in 0..<300 {
            let lengths = (0..<8).map { _ in
                Double(next(below: 5)) * (next(below: 4) == 0 ? -1 : 1)
            }
            var clock = SegmentClock(try playlist(lengths, isRounded: true))
            for _ in 0..<6 {
                let place = next(below: 8)
                clock.read(
                    place,
                    reading(
                        Double(next(below: 60)), Double(next(below: 40) - 10),
                        wraps: next(below: 2) == 0))
                let shown = clock.place(showing: .seconds(next(below: 50)))
                #expect((0..<8).contains(shown))
                _ = (clock.start(of: place), clock.estimate(of: next(below: 9)))
            }
        }
    }
}
