import Glibc

/// Paths by their bytes: a slash is a separator even before a combining mark.
///
/// `Character` would take a slash and a combining mark for one, and two spellings of an accent for the
/// same name; a file system does neither.
extension StringProtocol where UTF8View: BidirectionalCollection {
    @usableFromInline package static var slash: UInt8 { UInt8(ascii: "/") }

    /// Whether it begins with a slash.
    @inlinable package var isRooted: Bool { utf8.first == Self.slash }

    /// Whether it ends in a slash.
    @inlinable package var endsInSlash: Bool { utf8.last == Self.slash }

    /// Where the last slash is.
    @inlinable package var lastSlash: Index? { utf8.lastIndex(of: Self.slash) }

    /// The names between slashes, without empty ones.
    @inlinable package var pathParts: [SubSequence] {
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
    @inlinable package var parentFolder: String {
        guard let slash = lastSlash else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// The part after the last slash.
    @inlinable package var lastName: String {
        lastSlash.map { String(self[utf8.index(after: $0)...]) } ?? String(self)
    }

    /// Whether both are the same bytes.
    @inlinable package func isSamePath(as other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    /// Whether it begins with these bytes.
    @inlinable package func hasPathPrefix(_ prefix: some StringProtocol) -> Bool {
        utf8.starts(with: prefix.utf8)
    }
}

extension Array {
    /// In the order of the bytes of a path of each.
    @inlinable
    package func sorted(byPath path: (Element) -> String) -> [Element] {
        // Mapped bytes stand behind others in a text, and before some of them in a name.
        if contains(where: { FileName.isMapped(path($0)) }) {
            return sorted {
                FileName.bytes(path($0)).lexicographicallyPrecedes(FileName.bytes(path($1)))
            }
        }
        return sorted { path($0).hasBytes(before: path($1)) }
    }
}

extension String {
    /// Whether its bytes come before those of another text.
    @usableFromInline
    package func hasBytes(before other: String) -> Bool {
        let isBefore = utf8.withContiguousStorageIfAvailable { one in
            other.utf8.withContiguousStorageIfAvailable { two in
                guard let start = one.baseAddress, let otherStart = two.baseAddress else {
                    return one.isEmpty && !two.isEmpty
                }
                let order = memcmp(start, otherStart, Swift.min(one.count, two.count))
                return order == 0 ? one.count < two.count : order < 0
            }
        }
        return (isBefore ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
    }
}

/// A path as a key: equal where the bytes are.
package struct PathKey: Hashable, Sendable {
    private let bytes: [UInt8]

    package init(_ path: some StringProtocol) { bytes = path.utf8Bytes }
}

/// A digest of a name within this process: far smaller than the name, and as good as unique.
package struct NameDigest: Hashable, Sendable {
    private let one: Int
    private let other: Int

    package init(_ bytes: UnsafeRawBufferPointer) {
        var hasher = Hasher()
        hasher.combine(bytes: bytes)
        var second = hasher
        second.combine(1)
        (one, other) = (hasher.finalize(), second.finalize())
    }

    package init(_ name: String) {
        var name = name
        self = name.withUTF8 { NameDigest(UnsafeRawBufferPointer($0)) }
    }
}

extension StringProtocol {
    /// The bytes of the text, copied at once where they are contiguous.
    var utf8Bytes: [UInt8] {
        utf8.withContiguousStorageIfAvailable { Array($0) } ?? Array(utf8)
    }
}
