internal import CJXL
internal import LazyMedia

/// libjxl, which is opened when the first JPEG XL is.
package enum JXLLibrary {
    /// The version that is loaded, or nil where there is none.
    package static var loadedVersion: String? {
        guard cjxl_load() == 0 else { return nil }
        let version = cjxl_table().pointee.JxlDecoderVersion()
        return "\(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000)"
    }

    /// Debian's package of the library that this build needs.
    static let package = "libjxl\(JPEGXL_MAJOR_VERSION).\(JPEGXL_MINOR_VERSION)"

    /// Loads the library once in a process, and returns its functions.
    ///
    /// Declines with a sentence that names what is missing.
    static func load() throws(MediaError) -> UnsafePointer<CJXLTable> {
        guard cjxl_load() == 0 else {
            throw .declined(String(cString: cjxl_load_message()))
        }
        return cjxl_table()
    }

    /// Tries a library of another name without keeping its functions.
    static func probe(_ name: String) throws(MediaError) {
        let table = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<CJXLTable>.size, alignment: MemoryLayout<CJXLTable>.alignment)
        defer { table.deallocate() }
        var message = [CChar](repeating: 0, count: 256)
        let status = cjxl_fill(
            table.assumingMemoryBound(to: CJXLTable.self), name, &message, message.count)
        guard status == 0 else {
            let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw MediaError(.environment, String(decoding: bytes, as: UTF8.self))
        }
    }
}
