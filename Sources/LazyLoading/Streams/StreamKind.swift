internal import LazyBase

/// The format of a playlist, by its content.
package enum StreamKind: String, Sendable {
    /// HTTP Live Streaming (RFC 8216).
    case hls
    /// MPEG-DASH (ISO/IEC 23009-1).
    case dash

    /// How many of the first bytes are examined.
    package static let headSize = 4096

    /// The name as people write it.
    package var title: String { rawValue.uppercased() }

    /// Tells a playlist by its first bytes; nil for anything else.
    ///
    /// A list of songs, which begins like HLS, has no tag of HLS.
    package init?(head: [UInt8]) {
        var head = head.prefix(Self.headSize)
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { head = head.dropFirst(3) }
        if head.starts(with: "#EXTM3U".utf8) {
            guard Self.holds("#EXT-X-", head) else { return nil }
            self = .hls
            return
        }
        let text = head.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard text.first == UInt8(ascii: "<"), Self.holds("<MPD", text, before: " \t\r\n>/") else {
            return nil
        }
        self = .dash
    }

    private static func holds(
        _ word: String, _ bytes: ArraySlice<UInt8>, before ends: String? = nil
    ) -> Bool {
        let word = Array(word.utf8)
        var rest = bytes
        while rest.count >= word.count {
            if rest.starts(with: word) {
                guard let ends else { return true }
                if let next = rest.dropFirst(word.count).first, ends.utf8.contains(next) {
                    return true
                }
            }
            rest = rest.dropFirst()
        }
        return false
    }
}
