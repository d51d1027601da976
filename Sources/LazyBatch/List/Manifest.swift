internal import LazyFiles

/// A list of work in JSON lines: an object a line, with its own job, output and options.
///
/// `{"input": "a.mp4", "output": "b.webp", "job": "animate", "options": {"width": 320}}`. Only the
/// input is needed, as text or as `inputBytes` in base64; the options are those of the job's command, without the dashes.
package enum Manifest {
    /// One line's work.
    package struct Entry: Equatable, Sendable {
        package let input: String
        package let output: String?
        package let job: String?
        /// The options as words of a command line.
        package let words: [String]
    }

    /// Why a line is none.
    package struct Fault: Error, Equatable {
        package let reason: String
    }

    /// Reads one line.
    package static func entry(_ line: some StringProtocol) throws(Fault) -> Entry {
        let value: JSONValue
        do throws(JSONFault) {
            value = try JSONParser.parse(line)
        } catch {
            throw Fault(reason: "is no JSON: at byte \(error.column), \(error.reason)")
        }
        guard case .object(let members) = value else {
            throw Fault(reason: "is not an object in braces")
        }
        let known = ["input", "output", "job", "options"]
        let raw = ["inputBytes", "outputBytes"]
        if let (name, _) = members.first(where: { !(known + raw).contains($0.0) }) {
            throw Fault(
                reason: "has '\(name)', which is none of \(known.joined(separator: ", "))")
        }
        guard let input = try name(value, "input"), !input.isEmpty else {
            throw Fault(reason: "names no input")
        }
        return Entry(
            input: input, output: try name(value, "output"), job: try text(value, "job"),
            words: try words(value["options"]))
    }

    // A name that is not UTF-8 stands there in base64.
    private static func name(_ value: JSONValue, _ name: String) throws(Fault) -> String? {
        guard try text(value, name + "Bytes") != nil else {
            return try text(value, name).map { FileName.text(Array($0.utf8)) }
        }
        guard let raw = value.name(name) else {
            throw Fault(reason: "has \(name)Bytes that are not base64")
        }
        return raw
    }

    private static func text(_ value: JSONValue, _ name: String) throws(Fault) -> String? {
        switch value[name] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw Fault(reason: "has \(article(name)) \(name) that is no text")
        }
    }

    private static func article(_ name: String) -> String { name == "job" ? "a" : "an" }

    private static func words(_ options: JSONValue?) throws(Fault) -> [String] {
        switch options {
        case nil, .null: return []
        case .object(let members):
            var words: [String] = []
            for (name, value) in members { words += try self.words(of: name, value) }
            return words
        default: throw Fault(reason: "has options that are not an object in braces")
        }
    }

    // `max_bytes` and `max-bytes` are one.
    private static func words(of name: String, _ value: JSONValue) throws(Fault) -> [String] {
        let option = name.replacing("_", with: "-")
        let isName = option.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || (0x61...0x7A).contains(byte)
                || (0x30...0x39).contains(byte)
        }
        guard isName, let first = option.utf8.first, first != UInt8(ascii: "-") else {
            throw Fault(reason: "has '\(name)', which is the name of no option")
        }
        if ["output", "input", "help", "version"].contains(option) {
            throw Fault(reason: "has '\(name)' among its options")
        }
        switch value {
        case .null, .bool(false): return []
        case .bool(true): return ["--\(option)"]
        case .integer(let number): return ["--\(option)=\(number)"]
        case .number(let number): return ["--\(option)=\(number)"]
        case .string(let text), .name(let text):
            return ["--\(option)=\(FileName.text(Array(text.utf8)))"]
        case .array(let values):
            var words: [String] = []
            for value in values {
                if case .array = value { throw Fault(reason: "has a list in the list '\(name)'") }
                words += try self.words(of: name, value)
            }
            return words
        case .object: throw Fault(reason: "has an object as the option '\(name)'")
        }
    }
}
