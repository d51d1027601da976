internal import LazyBase

/// A list of work in JSON lines: an object a line, with its own job, output and options.
///
/// `{"input": "a.mp4", "output": "b.webp", "job": "animate", "options": {"width": 320}}`. Only the
/// input is needed, as text or as `inputBytes` in base64; the options are those of the job's command,
/// without the dashes.
public enum Manifest {
    /// The work of one line.
    public struct Entry: Equatable, Sendable {
        /// The input.
        public let input: String
        /// The output, or nil for the standard one.
        public let output: String?
        /// The name of the job, or nil for that of the command line.
        public let job: String?
        /// The options as words of a command line.
        public let words: [String]
    }

    /// Why a line is not valid.
    public struct Fault: Error, Equatable, Sendable {
        /// What is wrong, to follow "Line 3 of the manifest".
        public let reason: String
    }

    /// Reads one line.
    public static func entry(_ line: some StringProtocol) throws(Fault) -> Entry {
        do {
            return try JSONText.decode(line, as: Line.self).entry
        } catch let fault as Fault {
            throw fault
        } catch {
            throw Fault(reason: "is not valid: \(Self.reason(error))")
        }
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context), .dataCorrupted(let context):
            guard let name = context.codingPath.last?.stringValue else {
                return "it must be a JSON object"
            }
            return "'\(name)' has a value of the wrong kind"
        @unknown default: return "\(error)"
        }
    }

    private struct Line: Decodable {
        let entry: Entry

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: JSONMember.self)
            let known = ["input", "output", "job", "options"]
            let others = members.allKeys.map(\.stringValue).filter {
                !(known + ["inputBytes", "outputBytes"]).contains($0)
            }
            if let name = others.min() {
                throw Fault(
                    reason: "has '\(name)', which is none of \(known.joined(separator: ", "))")
            }
            guard let input = try members.name("input"), !input.isEmpty else {
                throw Fault(reason: "names no input")
            }
            let options =
                try members.decodeIfPresent([String: JSONOption].self, forKey: "options") ?? [:]
            var words: [String] = []
            for (name, value) in options.sorted(by: { $0.key < $1.key }) {
                words += try Manifest.words(of: name, value)
            }
            entry = Entry(
                input: input, output: try members.name("output"),
                job: try members.decodeIfPresent(String.self, forKey: "job"), words: words)
        }
    }

    /// The value of an option.
    private enum JSONOption: Decodable {
        case null
        case bool(Bool)
        case text(String)
        case list([JSONOption])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let bool = try? value.decode(Bool.self) {
                self = .bool(bool)
            } else if let number = try? value.decode(Int64.self) {
                self = .text(String(number))
            } else if let number = try? value.decode(Double.self) {
                self = .text(String(number))
            } else {
                self = .list(try value.decode([JSONOption].self))
            }
        }
    }

    // `max_bytes` and `max-bytes` are one.
    private static func words(of name: String, _ value: JSONOption) throws -> [String] {
        let option = name.replacing("_", with: "-")
        let isName = option.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || (0x61...0x7A).contains(byte)
                || (0x30...0x39).contains(byte)
        }
        guard isName, let first = option.utf8.first, first != UInt8(ascii: "-") else {
            throw Fault(reason: "has '\(name)', which is not the name of an option")
        }
        if ["output", "input", "help", "version"].contains(option) {
            throw Fault(reason: "has '\(name)' among its options")
        }
        switch value {
        case .null, .bool(false): return []
        case .bool(true): return ["--\(option)"]
        case .text(let text): return ["--\(option)=\(FileName.text(text.utf8))"]
        case .list(let values):
            return try values.flatMap { value in
                if case .list = value { throw Fault(reason: "has a list in the list '\(name)'") }
                return try words(of: name, value)
            }
        }
    }
}
