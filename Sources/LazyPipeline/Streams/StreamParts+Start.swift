internal import LazyBase
internal import LazyLoading
internal import LazyMedia

// Where segments are in the time of the stream, by their own clocks where the playlist is not exact.
extension StreamParts {
    /// So many segments are opened for a time, of which the second one usually is right.
    private static let mostSteps = 24

    /// The segment that shows a time, as far as that is known without opening one.
    func expectedPlace(showing time: Duration) -> Int {
        clock.withLock { $0.place(showing: time) }
    }

    /// When a segment begins, about, or behind the last one, when all end.
    func estimate(of place: Int) -> Duration { clock.withLock { $0.estimate(of: place) } }

    /// Opens the segment that shows a time; blocks while it is loaded, and others where it is not where the playlist
    /// says.
    func part(
        showing wanted: Duration, _ flag: CancellationFlag, spending time: StreamTime
    ) throws(MediaError) -> Part {
        var part = try part(near: expectedPlace(showing: wanted), flag, spending: time)
        for _ in 0..<Self.mostSteps {
            _ = try start(of: part, flag, spending: time)
            let place = expectedPlace(showing: wanted)
            // One that is missing has another one in its place.
            guard place != part.place, !clock.withLock({ $0.missing.contains(place) }) else {
                break
            }
            part = try self.part(near: place, flag, spending: time)
        }
        return part
    }

    /// When the first frame of an open segment is shown.
    ///
    /// Blocks while other segments are loaded that have to tell.
    func start(
        of part: Part, _ flag: CancellationFlag, spending time: StreamTime
    ) throws(MediaError) -> MediaTime {
        while true {
            switch clock.withLock({ $0.start(of: part.place) }) {
            case .at(let start): return start
            case .opening(let other): try look(at: other, flag, spending: time)
            }
        }
    }

    /// How long all segments are; blocks while the last one is loaded where the playlist cannot tell.
    func duration(_ flag: CancellationFlag) throws(MediaError) -> Duration {
        guard clock.withLock({ $0.isDurationDoubtful }) else { return playlist.duration }
        do throws(MediaError) {
            let last = try part(near: playlist.count - 1, flag, spending: time)
            let start = try start(of: last, flag, spending: time)
            return max(
                .zero, (start + (last.index[last.index.count - 1].end - last.origin)).duration)
        } catch {
            guard error.isOfMissingSegment else { throw error }
            return playlist.duration
        }
    }

    /// Opens a segment for its clock; one that cannot be opened tells none.
    private func look(
        at place: Int, _ flag: CancellationFlag, spending time: StreamTime
    ) throws(MediaError) {
        do throws(MediaError) { _ = try part(place, flag, spending: time) } catch {
            guard error.isOfMissingSegment || error.code == .malformed else { throw error }
            clock.withLock { $0.isMissing(place) }
        }
    }
}

extension StreamParts.Part {
    /// What it says of its time; nil where it has no clock.
    var reading: SegmentClock.Reading? {
        guard let zero = index.clock else { return nil }
        let end = index[index.count - 1].end
        return SegmentClock.Reading(
            zero: zero, first: zero + origin, end: zero + end,
            frame: (end - origin).duration / index.count,
            wraps: media.info.type == .mpegTS)
    }
}
