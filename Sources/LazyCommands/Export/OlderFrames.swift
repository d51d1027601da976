import Glibc

/// The frames of an earlier run in the same folder, as its `frames.json` names them.
///
/// A run that replaces what is there and has fewer frames removes the rest: nothing but what the
/// earlier run says that it wrote, of the same kind, and in the folder itself.
struct OlderFrames {
    private let names: [String]

    /// Reads what is there; what is no manifest of ours names nothing.
    init(in folder: OutputFolder, manifest: String) {
        names = Self.text(of: folder.path(of: manifest)).map(Self.names) ?? []
    }

    /// Removes those that are not among the new ones.
    func remove(from folder: OutputFolder, keeping records: [FrameRecord]) {
        let kept = Set(records.compactMap(\.file))
        let endings = Set(kept.map(Self.ending))
        for name in names where !kept.contains(name) && endings.contains(Self.ending(name)) {
            unlink(folder.path(of: name))
        }
    }

    private static func ending(_ name: String) -> String { OutputPlace.ending(of: name) ?? "" }

    /// The most bytes of a manifest that is read: those of a million frames.
    private static let mostBytes = 256 << 20

    private static func text(of path: String) -> String? {
        guard FileKind(path) == .file, let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= mostBytes {
            let count = fread(&chunk, 1, chunk.count, file)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
        return nil
    }

    private static func names(_ text: String) -> [String] {
        guard case .object(let members)? = try? JSONParser.parse(text),
            case .array(let frames)? = members.first(where: { $0.0 == "frames" })?.1
        else { return [] }
        return frames.compactMap { frame in
            guard case .object(let members) = frame,
                case .string(let name)? = members.first(where: { $0.0 == "file" })?.1,
                !name.contains("/"), !name.hasPrefix(".")
            else { return nil }
            return name
        }
    }
}
