internal import LazyBase
internal import LazyLoading

/// The report of commands that remove entries.
enum CacheRemoval {
    /// Entries and their bytes, including partial downloads.
    struct Count {
        var entries = 0
        var bytes = 0

        init() {}

        /// Counts the entries of caches.
        init(_ stores: [CacheStore]) {
            for statistics in stores.map({ $0.store.statistics() }) {
                entries += statistics.count + statistics.partialCount
                bytes += statistics.byteCount + statistics.partialByteCount
            }
        }

        static func - (left: Count, right: Count) -> Count {
            var difference = Count()
            difference.entries = max(0, left.entries - right.entries)
            difference.bytes = max(0, left.bytes - right.bytes)
            return difference
        }
    }

    /// Reports what was removed.
    static func tell(_ count: Count, _ report: ReportOptions) throws(CommandFailure) {
        if report.json {
            try Console.print(
                JSONValue.object([
                    ("removed", .integer(count.entries)), ("bytes", .integer(count.bytes)),
                ]).text)
        } else if !report.quiet {
            let words = count.entries == 1 ? "1 entry" : "\(count.entries) entries"
            Console.say("\(words) removed, \(ByteSize.text(count.bytes))")
        }
    }
}
