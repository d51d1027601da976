// A profile for gray describes pictures whose samples are gray, which most formats store as such.

extension ICCProfile {
    /// Whether it describes gray.
    package var isGray: Bool { colorSpace == "GRAY" }
}

extension UnsafeRawBufferPointer {
    /// Whether all are gray of pixels with 8 bits a sample.
    package var isGray: Bool {
        bindMemory(to: SIMD4<UInt8>.self).allSatisfy { $0.x == $0.y && $0.x == $0.z }
    }

    /// The same of 16 bits a sample.
    package var isDeepGray: Bool {
        bindMemory(to: SIMD4<UInt16>.self).allSatisfy { $0.x == $0.y && $0.x == $0.z }
    }
}

extension MediaError {
    /// The error for colored pixels, such as an edit draws, where the profile of a source is one for gray.
    package static func coloredGray(_ type: MediaType) -> MediaError {
        MediaError(
            .notWritable,
            "\(type.title) has no place for colored pixels beside a color profile of GRAY.")
    }
}
