internal import LazyBase

extension Rendition {
    /// The rendition in one line of ASCII: equal lines make equal pixels of equal sources, on every machine.
    ///
    /// `poster.1;at=first;edit.size=320x%3E;output.type=webp`: the kind with the version of what it makes, and what was
    /// asked for in the order of its fields. Files count by their digests. Above 512 bytes it is the digest of that.
    public var identifier: String {
        let head = "\(kind.word).\(kind.version)"
        let words = Self.fields(of: kind).members(of: self).flatMap { Self.words($0.1, $0.0) }
        let text = ([head] + words).joined(separator: ";")
        return text.utf8.count <= 512 ? text : "\(head);sha256:\(Self.digest(text))"
    }

    /// A value and all that lies in it, each with its path.
    private static func words(_ value: JSONValue, _ path: String) -> [String] {
        switch value {
        case .object(let members):
            // A file with a digest is that content, whatever its name.
            let isKnown = members.contains { $0.0 == "sha256" }
            return members.filter { !isKnown || $0.0 != "file" }.flatMap {
                words($0.1, "\(path).\($0.0)")
            }
        case .array(let values):
            return values.enumerated().flatMap { words($0.element, "\(path).\($0.offset)") }
        case .string(let text), .name(let text): return ["\(path)=\(encoded(text))"]
        default: return ["\(path)=\(value.line)"]
        }
    }

    private static func encoded(_ text: String) -> String {
        guard text.utf8.count <= 64 else { return "sha256:\(digest(text))" }
        return PercentEncoding.encode(Array(text.utf8), allowed: "._~:,+*/#^!-")
    }

    private static func digest(_ text: String) -> String {
        Digest.sha256(Array(text.utf8)).hex
    }
}
