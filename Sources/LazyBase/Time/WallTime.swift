internal import FoundationEssentials

/// A time of the calendar clock, in milliseconds; used by caches and HTTP.
public struct WallTime: Hashable, Comparable, Sendable {
    /// Milliseconds since the beginning of 1970, UTC.
    public let milliseconds: Int64

    /// Makes a time from milliseconds since the beginning of 1970, UTC.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Makes a time from seconds since the beginning of 1970, UTC.
    public init(seconds: Int64) { milliseconds = Duration.seconds(seconds).milliseconds }

    /// The current time of the system's clock.
    public static var now: WallTime {
        let seconds = Date.now.timeIntervalSince1970
        return WallTime(milliseconds: Int64((seconds * 1000).rounded(.down)))
    }

    /// Seconds since the beginning of 1970, rounded down.
    public var seconds: Int64 {
        milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    }

    /// Orders two times.
    public static func < (left: WallTime, right: WallTime) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The time after a duration.
    public static func + (time: WallTime, length: Duration) -> WallTime {
        let (sum, isTooFar) = time.milliseconds.addingReportingOverflow(length.milliseconds)
        return WallTime(milliseconds: isTooFar ? (length < .zero ? .min : .max) : sum)
    }

    /// The duration between two times.
    public static func - (end: WallTime, start: WallTime) -> Duration {
        Duration.milliseconds(end.milliseconds).adding(.zero - .milliseconds(start.milliseconds))
    }
}
