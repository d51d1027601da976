import Glibc
import Logging

/// Writes a line of JSON for each event to standard error.
struct JSONLog: LogHandler {
    let label: String
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    init(label: String, level: Logger.Level) { (self.label, logLevel) = (label, level) }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line = "{\"time\":\"" + Self.time + "\""
        func add(_ name: String, _ value: String) {
            line += ","
            Self.write(name, to: &line)
            line += ":"
            Self.write(value, to: &line)
        }
        add("level", event.level.rawValue)
        add("logger", label)
        add("message", "\(event.message)")
        for (name, value) in metadata { add(name, "\(value)") }
        for (name, value) in event.metadata ?? [:] { add(name, "\(value)") }
        line += "}\n"
        // One call, so that lines of several threads stay whole.
        line.withUTF8 { bytes in _ = Glibc.write(2, bytes.baseAddress, bytes.count) }
    }

    /// The time in UTC, as RFC 3339 has it.
    private static var time: String {
        var now = time_t()
        Glibc.time(&now)
        var parts = tm()
        gmtime_r(&now, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A text of JSON.
    private static func write(_ text: String, to line: inout String) {
        line += "\""
        // Few texts have anything to escape.
        if text.utf8.contains(where: {
            $0 < 32 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
        }) {
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"": line += "\\\""
                case "\\": line += "\\\\"
                case _ where scalar.value < 32:
                    let digits = String(scalar.value, radix: 16)
                    line += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                default: line.unicodeScalars.append(scalar)
                }
            }
        } else {
            line += text
        }
        line += "\""
    }
}
