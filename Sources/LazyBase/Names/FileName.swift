package import Glibc

/// File names are bytes; this is how they travel through strings, which hold Unicode alone.
///
/// A byte that is not part of valid UTF-8 becomes one private scalar, U+10F780 for 0x80 to U+10F7FF for
/// 0xFF. A name that has such scalars itself has their four bytes mapped each, so that every name has
/// one text and comes back as it was. All other names are their own text.
///
/// Paths, options and lists are kept in this form from `ProcessArguments` to the calls of the system,
/// which get `String.systemPath`. People see `shown`, JSON has `readable` and the bytes beside it.
@usableFromInline
package enum FileName {
    private static let base: UInt32 = 0x10F700
    private static let stand: ClosedRange<UInt32> = 0x10F780...0x10F7FF

    /// The text of a name.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        bytes.withContiguousStorageIfAvailable { text($0) } ?? text(Array(bytes))
    }

    private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !isMapped(text) { return text }
        var text = ""
        for piece in UTF8Pieces(Array(bytes)) {
            if let scalar = piece.scalar, !stand.contains(scalar.value) {
                text.unicodeScalars.append(scalar)
            } else {
                for byte in piece.bytes { text.unicodeScalars.append(mapped(byte)) }
            }
        }
        return text
    }

    /// The text of a name that ends in a zero byte.
    package static func text(_ name: UnsafePointer<CChar>) -> String {
        text(UnsafeRawBufferPointer(start: name, count: strlen(name)))
    }

    /// The text of the name in an entry of a folder.
    package static func text(of entry: UnsafeMutablePointer<dirent>) -> String {
        withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            guard let start = bytes.baseAddress else { return "" }
            return text(UnsafeRawBufferPointer(start: start, count: strnlen(start, bytes.count)))
        }
    }

    /// The name of a text.
    @usableFromInline
    package static func bytes(_ text: some StringProtocol) -> [UInt8] {
        guard isMapped(text) else { return text.utf8Bytes }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if stand.contains(scalar.value) {
                bytes.append(UInt8(scalar.value - base))
            } else {
                bytes += Array(String(scalar).utf8)
            }
        }
        return bytes
    }

    /// Whether a text contains a mapped byte.
    @usableFromInline
    package static func isMapped(_ text: some StringProtocol) -> Bool {
        // All of them begin with the bytes F4 8F. A generic search would take longer than reading a folder.
        let mayBe = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0xF4, bytes.count) != nil } ?? false
        }
        return mayBe ?? true && text.unicodeScalars.contains { stand.contains($0.value) }
    }

    /// Whether a scalar stands for a byte that is not part of valid UTF-8.
    package static func isMapped(_ scalar: Unicode.Scalar) -> Bool { stand.contains(scalar.value) }

    private static func mapped(_ byte: UInt8) -> Unicode.Scalar {
        // Only bytes from 0x80 on are not valid by themselves.
        Unicode.Scalar(base + UInt32(byte)) ?? "\u{FFFD}"
    }
}

/// Bytes as scalars, and what is none in between.
package struct UTF8Pieces: Sequence, IteratorProtocol {
    /// A scalar with its bytes, or bytes that are not part of any.
    package struct Piece {
        package let scalar: Unicode.Scalar?
        package let bytes: ArraySlice<UInt8>
    }

    private let bytes: [UInt8]
    private var place = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package mutating func next() -> Piece? {
        var rest = bytes[place...].makeIterator()
        var parser = UTF8.ForwardParser()
        let scalar: Unicode.Scalar?
        let count: Int
        switch parser.parseScalar(from: &rest) {
        case .emptyInput: return nil
        case .valid(let encoded):
            scalar = UTF8.decode(encoded)
            count = encoded.count
        case .error(let length):
            scalar = nil
            count = length
        }
        defer { place += count }
        return Piece(scalar: scalar, bytes: bytes[place..<place + count])
    }
}

extension String {
    /// The name for system calls, with a zero byte at the end.
    package var systemPath: [CChar] {
        FileName.isMapped(self)
            ? FileName.bytes(self).map { CChar(bitPattern: $0) } + [0] : Array(utf8CString)
    }

    /// The name as valid Unicode: what is not UTF-8 becomes U+FFFD.
    package var readable: String {
        FileName.isMapped(self) ? String(decoding: FileName.bytes(self), as: UTF8.self) : self
    }

    /// The text for people on a terminal: controls, marks of direction and what is not UTF-8 stand as `\x1b`.
    package var shown: String { shown(keepsLines: false) }

    /// The same for several lines.
    package var shownLines: String { shown(keepsLines: true) }

    private func shown(keepsLines: Bool) -> String {
        guard FileName.isMapped(self) || unicodeScalars.contains(where: \.isUnprintable) else {
            return self
        }
        var text = ""
        for piece in UTF8Pieces(FileName.bytes(self)) {
            switch piece.scalar {
            case "\n": text += keepsLines ? "\n" : "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case let scalar? where !scalar.isUnprintable: text.unicodeScalars.append(scalar)
            default: for byte in piece.bytes { text += "\\x" + byte.twoDigits }
            }
        }
        return text
    }
}

extension UInt8 {
    /// The byte as two hexadecimal digits.
    fileprivate var twoDigits: String {
        (self < 16 ? "0" : "") + String(self, radix: 16)
    }
}
