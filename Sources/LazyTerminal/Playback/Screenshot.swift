import Glibc
internal import LazyBase
internal import LazyMedia

/// Frames that a key saves.
enum Screenshot {
    /// Saves a frame as `NAME-00012.png` in the current folder and returns that name.
    ///
    /// Never replaces a file: another number follows where the name exists.
    static func save(
        _ index: Int, of sequence: FrameSequence, _ title: String, _ encoders: EncoderRegistry
    ) throws -> String {
        let reader = try sequence.makeReader(ReaderOptions(limits: sequence.limits))
        try reader.seek(toIndex: index)
        guard let frame = try reader.nextFrame() else {
            throw MediaError(.notFound, "The frame is gone.")
        }
        return try QuickPNG(encoders).encode(frame.bitmap, color: frame.color) {
            (bytes) throws(MediaError) in
            do throws(SystemError) { return try write(bytes, name(title, index)) } catch {
                throw MediaError(.environment, "\(error)")
            }
        }
    }

    private static func name(_ title: String, _ index: Int) -> String {
        let number = String(index)
        let digits = String(repeating: "0", count: max(0, 5 - number.count)) + number
        let stem = title.split(separator: "/").last.map(String.init) ?? "frame"
        let end = stem.lastIndex(of: ".") ?? stem.endIndex
        return "\(end == stem.startIndex ? stem : String(stem[..<end]))-\(digits)"
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer, _ stem: String
    ) throws(SystemError) -> String {
        let file = try NewFile(in: ".")
        try file.write(bytes)
        var attempt = 1
        while true {
            let name = attempt == 1 ? "\(stem).png" : "\(stem)-\(attempt).png"
            do throws(SystemError) {
                try file.publish(as: name, replacing: false)
                return name
            } catch {
                guard error.code == EEXIST, attempt < 1000 else { throw error }
            }
            attempt += 1
        }
    }
}
