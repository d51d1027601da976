import Glibc
internal import LazyBase

/// When a file last changed.
struct FileTime: Comparable, Sendable {
    let seconds: Int
    let nanoseconds: Int

    init(seconds: Int, nanoseconds: Int = 0) {
        (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
    }

    /// The time of a file, or nil where there is none.
    init?(ofFile path: String) {
        var status = stat()
        guard stat(path.systemPath, &status) == 0 else { return nil }
        self.init(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    }

    static func < (one: FileTime, other: FileTime) -> Bool {
        (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
    }
}

extension FileTime {
    /// `2026-01-31`, `2026-01-31T12:30` or with seconds, in local time; with `Z` at the end in UTC.
    init?(date text: String) {
        let isUTC = text.hasSuffix("Z")
        let halves = (isUTC ? text.dropLast() : text[...]).split(
            separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        guard let day = Self.numbers(halves[0], separator: "-", widths: [4, 2, 2]) else {
            return nil
        }
        var clock: [CInt] = [0, 0, 0]
        if halves.count > 1 {
            let parts = Self.numbers(halves[1], separator: ":", widths: [2, 2, 2])
            guard let time = parts ?? Self.numbers(halves[1], separator: ":", widths: [2, 2]) else {
                return nil
            }
            clock.replaceSubrange(time.indices, with: time)
        }
        guard clock[0] < 24, clock[1] < 60, clock[2] < 60 else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (day[0] - 1900, day[1] - 1, day[2])
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (clock[0], clock[1], clock[2])
        parts.tm_isdst = -1
        let seconds = isUTC ? timegm(&parts) : mktime(&parts)
        // A day that its month does not have was moved.
        guard parts.tm_mon == day[1] - 1, parts.tm_mday == day[2] else { return nil }
        self.init(seconds: seconds)
    }

    private static func numbers(
        _ text: Substring, separator: Character, widths: [Int]
    ) -> [CInt]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == widths,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        return parts.compactMap { CInt($0) }
    }
}
