/// Paths by their bytes: a slash is a separator even before a combining mark.
///
/// `Character` would take a slash and a combining mark for one, and two spellings of an accent for the
/// same name; a file system does neither.
extension StringProtocol where UTF8View: BidirectionalCollection {
    private static var slash: UInt8 { UInt8(ascii: "/") }

    /// Whether it begins with a slash.
    package var isRooted: Bool { utf8.first == Self.slash }

    /// Whether it ends in a slash.
    package var endsInSlash: Bool { utf8.last == Self.slash }

    /// Where the last slash is.
    package var lastSlash: Index? { utf8.lastIndex(of: Self.slash) }

    /// The names between slashes, without empty ones.
    package var pathParts: [SubSequence] {
        var parts: [SubSequence] = []
        var start = startIndex
        while start < endIndex {
            let end = utf8[start...].firstIndex(of: Self.slash) ?? endIndex
            if end > start { parts.append(self[start..<end]) }
            start = end < endIndex ? utf8.index(after: end) : endIndex
        }
        return parts
    }

    /// The path of the folder, without the slash; `.` where there is none.
    package var parentFolder: String {
        guard let slash = lastSlash else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// The part after the last slash.
    package var lastName: String {
        lastSlash.map { String(self[utf8.index(after: $0)...]) } ?? String(self)
    }

    /// Whether both are the same bytes.
    package func isSamePath(as other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    /// Whether it begins with these bytes.
    package func hasPathPrefix(_ prefix: some StringProtocol) -> Bool {
        utf8.starts(with: prefix.utf8)
    }
}

/// A path as a key: equal where the bytes are.
package struct PathKey: Hashable, Sendable {
    private let bytes: [UInt8]

    package init(_ path: some StringProtocol) { bytes = Array(path.utf8) }
}
