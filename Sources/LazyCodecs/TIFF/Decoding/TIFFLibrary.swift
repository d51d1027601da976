internal import CTIFF
internal import LazyMedia

/// libtiff, which is opened when the first TIFF is.
package enum TIFFLibrary {
    /// The version that is loaded, or nil where there is none.
    package static var loadedVersion: String? {
        guard ctiff_load() == 0 else { return nil }
        // "LIBTIFF, Version 4.5.0", and a line for each owner of rights.
        let words = String(cString: ctiff_library_version()).prefix { $0 != "\n" }
        return words.split(separator: " ").last.map(String.init)
    }

    /// Debian's package of the library.
    static let package = "libtiff6"

    /// Loads the library once in a process; throws a sentence that names what is missing.
    static func load() throws(MediaError) {
        guard ctiff_load() == 0 else {
            throw .declined(String(cString: ctiff_load_message()))
        }
    }

    /// Tries a library of another name.
    static func probe(_ name: String) throws(MediaError) {
        var message = [CChar](repeating: 0, count: 256)
        guard ctiff_probe(name, &message, message.count) == 0 else {
            throw MediaError(.environment, String(cTIFF: message))
        }
    }
}

extension String {
    /// A message of libtiff without its final period.
    init(cTIFF words: [CChar]) {
        let bytes = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        self.init(decoding: bytes, as: UTF8.self)
        while last == "." || last == "\n" { removeLast() }
    }
}
