internal import ArgumentParser
internal import LazyBase
internal import LazyLoading

/// `lazyimg cache ls`: lists the entries.
struct CacheListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "List entries, most recently used first.",
        aliases: ["list"])

    @Argument(help: "Only these: URLs, or patterns with * and ?.")
    var url: [String] = []

    @Flag(name: [.short, .long], help: "Also print size, age and type.")
    var long = false

    @OptionGroup var options: CacheOptions

    func run() throws {
        let patterns = url.map(KeyPattern.init)
        let now = WallTime.now
        var rows: [CachedRow] = []
        for store in try options.stores() {
            rows += store.store.entries().map { CachedRow($0, in: store.name) }
            rows += store.store.partials().map { CachedRow($0, in: store.name) }
        }
        if !patterns.isEmpty {
            rows = rows.filter { row in patterns.contains { $0.matches(row.key) } }
        }
        rows.sort { ($1.lastUsed, $0.key) < ($0.lastUsed, $1.key) }
        if options.report.json {
            try Console.print(JSONValue.array(rows.map(\.json)).text)
        } else {
            try Console.tell(rows.map { $0.line(isLong: long, now: now) + "\n" }.joined())
        }
    }
}

/// One entry as `ls` prints it.
struct CachedRow {
    let store: String
    let key: String
    let count: Int
    /// The complete size of a partial download, 0 if it is unknown; nil for complete entries.
    let wholeCount: Int?
    let storedAt: WallTime
    let lastUsed: WallTime
    /// The type that the server sent, or nil.
    let type: String?

    init(_ entry: StoredEntryInfo, in store: String) {
        self.store = store
        key = entry.key
        count = entry.byteCount
        wholeCount = nil
        storedAt = entry.storedAt
        lastUsed = entry.lastUsed
        type = Self.type(CacheRecord(metadata: entry.metadata)?.response)
    }

    init(_ partial: StoredPartialInfo, in store: String) {
        self.store = store
        key = partial.key
        count = partial.byteCount
        let response = CacheRecord(metadata: partial.metadata)?.response
        wholeCount = response?.wholeCount ?? 0
        storedAt = partial.lastUsed
        lastUsed = partial.lastUsed
        type = Self.type(response)
    }

    private static func type(_ response: StoredResponse?) -> String? {
        response?.headers["Content-Type"].map { String($0.prefix { $0 != ";" }) }
    }

    var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("cache", .string(store)), ("key", .string(key)), ("bytes", .integer(count)),
            ("type", .string(orNull: type)), ("storedAt", .integer(storedAt.seconds)),
            ("lastUsed", .integer(lastUsed.seconds)),
        ]
        if let wholeCount {
            members.append(("partOf", wholeCount > 0 ? .integer(wholeCount) : .null))
        }
        return .object(members)
    }

    /// The URL after the other columns.
    func line(isLong: Bool, now: WallTime) -> String {
        // Keys of variants have several lines, and those of programs any characters.
        let name = String(key.map { $0.isNewline ? " " : $0 }.filter(\.isPrintable))
        guard isLong else { return wholeCount == nil ? name : name + "  (partial)" }
        let note = wholeCount.map { $0 > 0 ? "  (part of \(ByteSize.text($0)))" : "  (partial)" }
        let columns = [ByteSize.text(count), Self.age(now - storedAt)].columns(10)
        let type = type ?? "-"
        let space = String(repeating: " ", count: max(1, 16 - type.count))
        return "\(columns)  \(store)  \(type)\(space)\(name)\(note ?? "")"
    }

    /// A number and a unit: `5 s`, `3 min`, `2 h`, `12 d`.
    static func age(_ age: Duration) -> String {
        let seconds = max(0, age.wholeSeconds)
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3600) h"
        default: return "\(seconds / 86400) d"
        }
    }
}

extension Character {
    /// Whether a terminal may show it as it is.
    fileprivate var isPrintable: Bool { !unicodeScalars.contains(where: \.isUnprintable) }
}
