package import LazyBase

extension RenditionTask {
    /// The entity tag of a result (RFC 9110, 8.8.3).
    ///
    /// It is weak until a store has the bytes: encoders of other versions write other bytes of the same pixels, and two
    /// machines must not serve halves of two files under one tag.
    public struct Tag: Hashable, Sendable, CustomStringConvertible {
        /// The text between its quotes: hexadecimal digits.
        public let text: String
        /// Whether equal tags mean equal pixels, and not equal bytes.
        public let isWeak: Bool

        /// The tag of what is going to be made of a version of a source, by the text of its key.
        init(weak key: String) {
            text = String(Digest.sha256(Array(key.utf8)).hex.prefix(32))
            isWeak = true
        }

        /// The tag of stored bytes.
        init(strong text: String) { (self.text, isWeak) = (text, false) }

        /// The text of the tag of bytes; blocks if they are in a file.
        package static func text(of body: Blob) throws(SystemError) -> String {
            var hasher = SHA256()
            var offset = 0
            while offset < body.count {
                let piece = try body.bytes(at: offset, count: 1 << 20)
                if piece.isEmpty { throw SystemError(code: 5) }
                hasher.update(piece)
                offset += piece.count
            }
            return String(hasher.finish().hexadecimal().prefix(32))
        }

        /// The tag as a field has it: `"…"`, or `W/"…"` for a weak one.
        public var description: String { (isWeak ? "W/" : "") + "\"\(text)\"" }

        /// Whether `If-None-Match` names the tag, by the weak comparison of RFC 9110, 13.1.2.
        public func isNamed(inIfNoneMatch field: String) -> Bool {
            field.split(separator: ",").contains { member in
                let tag = member.filter { $0 != " " && $0 != "\t" }
                return tag == "*"
                    || (tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag) == "\"\(text)\""
            }
        }

        /// Whether `If-Range` allows a part, by the strong comparison of RFC 9110, 13.1.5.
        public func isNamed(inIfRange field: String) -> Bool { !isWeak && field == description }
    }
}
