package import FoundationEssentials

/// A resource of a stream, or a range of its bytes.
package struct StreamResource: Hashable, Sendable {
    package var url: URL
    package var range: Range<Int>?

    package init(url: URL, range: Range<Int>? = nil) {
        self.url = url
        self.range = range
    }
}

/// How a resource is encrypted.
package enum StreamKey: Hashable, Sendable {
    /// The whole resource by AES-128 in CBC mode (RFC 8216, 4.3.2.4).
    case aes128(URL, vector: [UInt8])
    /// By a system whose keys are not loaded; its name.
    case protected(String)
}

/// What a decoder reads before a segment: the `moov` box of fragments.
package struct StreamMap: Hashable, Sendable {
    package var resource: StreamResource
    package var key: StreamKey?
}

/// A segment of a stream.
package struct StreamSegment: Sendable {
    package var resource: StreamResource
    package var map: StreamMap?
    package var key: StreamKey?
    /// When it begins, counted from the first segment.
    package var start: Duration
    package var duration: Duration
    /// The number of the run it belongs to: segments of one run continue each other.
    package var run: Int
}

/// The segments of one rendition, in order.
package struct StreamPlaylist: Sendable {
    /// The segments; at least one.
    package private(set) var segments: [StreamSegment] = []
    /// Whether segments are still added.
    package var isLive = false

    /// The number of segments that a playlist may have: a day of seconds.
    package static let maxSegments = 100_000

    private static let maxDuration = Duration.seconds(315_360_000)

    package init() {}

    /// When the last segment ends.
    package var duration: Duration {
        segments.last.map { $0.start + $0.duration } ?? .zero
    }

    /// Whether all segments are files of this machine.
    package var isLocal: Bool {
        segments.allSatisfy { segment in
            [segment.resource, segment.map?.resource].allSatisfy {
                $0.map { $0.url.scheme?.lowercased() == "file" } ?? true
            }
        }
    }

    /// Adds a segment after the others, after a gap of some time.
    mutating func append(
        _ resource: StreamResource, map: StreamMap? = nil, key: StreamKey? = nil,
        duration: Duration, after gap: Duration = .zero, continues: Bool = true
    ) throws(StreamError) {
        guard segments.count < Self.maxSegments else {
            throw .malformed("The playlist has more than \(Self.maxSegments) segments.")
        }
        guard self.duration + gap + duration < Self.maxDuration else {
            throw .malformed("The playlist is longer than ten years.")
        }
        let last = segments.last
        let isSameRun = continues && last?.map == map
        segments.append(
            StreamSegment(
                resource: resource, map: map, key: key, start: self.duration + gap,
                duration: duration, run: last.map { isSameRun ? $0.run : $0.run + 1 } ?? 0))
    }

    /// The number of the segment that is shown at a time; the first before it, the last behind it.
    package func segment(at time: Duration) -> Int {
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].start <= time { low = middle + 1 } else { high = middle }
        }
        return max(1, low) - 1
    }

    /// The newest segment of a live stream, with its time counted from itself; else all.
    package func playable() -> StreamPlaylist {
        guard isLive, var newest = segments.last else { return self }
        newest.start = .zero
        var playlist = self
        playlist.segments = [newest]
        return playlist
    }
}
