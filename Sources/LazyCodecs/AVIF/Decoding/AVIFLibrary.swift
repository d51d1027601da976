internal import CAVIF
internal import LazyMedia

/// libavif, which is opened when the first AVIF is.
package enum AVIFLibrary {
    /// The version that is loaded, or nil where there is none.
    package static var loadedVersion: String? {
        guard cavif_load() == 0 else { return nil }
        return cavif_table().pointee.avifVersion().map { String(cString: $0) }
    }

    /// Debian's package of the library.
    static var package: String { String(cString: cavif_package()) }

    /// Loads the library once in a process, and returns its functions.
    ///
    /// Declines with a sentence that names what is missing.
    static func load() throws(MediaError) -> UnsafePointer<CAVIFTable> {
        guard cavif_load() == 0 else { throw .declined(String(cString: cavif_load_message())) }
        return cavif_table()
    }

    /// The same for writing; throws `.environment`.
    static func loadForWriting() throws(MediaError) -> UnsafePointer<CAVIFTable> {
        do throws(MediaError) { return try load() } catch {
            throw MediaError(.environment, error.message)
        }
    }

    /// Tries a library of another name without keeping its functions.
    static func probe(_ name: String) throws(MediaError) {
        let table = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<CAVIFTable>.size,
            alignment: MemoryLayout<CAVIFTable>.alignment)
        defer { table.deallocate() }
        var message = [CChar](repeating: 0, count: 256)
        let status = cavif_fill(
            table.assumingMemoryBound(to: CAVIFTable.self), name, &message, message.count)
        guard status == 0 else {
            let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw MediaError(.environment, String(decoding: bytes, as: UTF8.self))
        }
    }
}
