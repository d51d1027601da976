package import FoundationEssentials

/// A resource of a stream, or a range of its bytes.
package struct StreamResource: Hashable, Sendable {
    package var url: URL
    package var range: Range<Int>?

    package init(url: URL, range: Range<Int>? = nil) {
        self.url = url
        self.range = range
    }
}

/// How a resource is encrypted.
package enum StreamKey: Hashable, Sendable {
    /// The whole resource by AES-128 in CBC mode (RFC 8216, 4.3.2.4).
    case aes128(URL, vector: [UInt8])
    /// By a system whose keys are not loaded; its name.
    case protected(String)
}

/// What a decoder reads before a segment: the `moov` box of fragments.
package struct StreamMap: Hashable, Sendable {
    package var resource: StreamResource
    package var key: StreamKey?
}
