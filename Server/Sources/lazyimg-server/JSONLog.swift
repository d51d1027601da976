import Logging

/// Writes a line of JSON for each event to standard error.
struct JSONLog: LogHandler {
    let label: String
    let lines: LogLines
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    init(label: String, level: Logger.Level, lines: LogLines) {
        (self.label, logLevel, self.lines) = (label, level, lines)
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.add(isUrgent: true) { line in
            line.add("level", event.level.rawValue)
            line.add("logger", label)
            line.add("message", "\(event.message)")
            for (name, value) in metadata { line.add(name, "\(value)") }
            for (name, value) in event.metadata ?? [:] { line.add(name, "\(value)") }
        }
    }
}
