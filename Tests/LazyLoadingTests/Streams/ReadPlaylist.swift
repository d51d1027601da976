import FoundationEssentials
import LazyBase

@testable import LazyLoading

/// A playlist with all of its segments, as a player that reads each of them sees it.
struct ReadPlaylist {
    struct Segment {
        let resource: StreamResource
        let map: StreamMap?
        let key: StreamKey?
        let start: Duration
        let duration: Duration
        let run: Int
    }

    let all: StreamPlaylist
    private(set) var segments: [Segment] = []

    init(_ playlist: StreamPlaylist) throws(StreamError) {
        all = playlist
        for place in 0..<playlist.count {
            let (resource, key) = try playlist.resource(of: place)
            var map: StreamMap?
            if let number = playlist.map(of: place) { map = try playlist.map(number) }
            segments.append(
                Segment(
                    resource: resource, map: map, key: key, start: playlist.start(of: place),
                    duration: playlist.duration(of: place), run: playlist.run(of: place)))
        }
    }
}

extension StreamBudget {
    /// One without limits.
    static var unlimited: StreamBudget { within(StreamLimits(memory: nil, time: nil)) }

    static func within(
        _ limits: StreamLimits, _ flag: CancellationFlag = CancellationFlag()
    ) -> StreamBudget { StreamBudget(limits, flag) }
}
