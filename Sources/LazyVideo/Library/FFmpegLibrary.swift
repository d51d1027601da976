internal import CFFmpeg
internal import LazyMedia

/// FFmpeg's shared libraries, loaded when the first video is opened.
enum FFmpegLibrary {
    /// Loads the libraries once in a process; throws `.environment` where they are missing.
    static func load() throws(MediaError) {
        guard lz_load() == 0 else {
            throw MediaError(.environment, String(cString: lz_load_message()))
        }
    }

    /// Loads the libraries and limits their single allocations to half of the memory limit.
    static func load(within limits: DecodingLimits) throws(MediaError) {
        try load()
        lz_allow_allocations((limits.memory ?? .max) / 2)
    }

    /// Loads what encoding needs once in a process, which is less than `load()` needs.
    static func loadForWriting() throws(MediaError) {
        guard lz_load_writing() == 0 else {
            throw MediaError(.environment, String(cString: lz_load_writing_message()))
        }
    }

    /// Tries to load libraries of other names without keeping their functions.
    ///
    /// Empty names mean the default ones.
    static func probe(avutil: String = "", swscale: String = "") throws(MediaError) {
        var table = LZTable()
        var message = [CChar](repeating: 0, count: 256)
        let status = avutil.withCString { avutil in
            swscale.withCString { swscale in
                var names = lz_expected_libraries()
                if avutil.pointee != 0 { names.avutil = avutil }
                if swscale.pointee != 0 { names.swscale = swscale }
                return lz_fill(&table, names, &message, message.count)
            }
        }
        guard status == 0 else {
            let end = message.firstIndex(of: 0) ?? message.endIndex
            let bytes = message[..<end].map { UInt8(bitPattern: $0) }
            throw MediaError(.environment, String(decoding: bytes, as: UTF8.self))
        }
    }
}
