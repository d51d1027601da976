import Glibc
internal import LazyBase
internal import LazyBatch
internal import LazyMedia

/// The frames that an earlier run wrote into a folder, as its `frames.json` names them.
///
/// A run that replaces it and writes fewer frames removes the others; files that the manifest does not
/// name are kept.
struct EarlierFrames {
    private let folder: OutputFolder
    private let names: [String]

    private struct Manifest: Decodable {
        let frames: [Entry]
    }

    private struct Entry: Decodable {
        let file: String?

        init(from decoder: any Decoder) throws {
            file = try decoder.container(keyedBy: JSONMember.self).name("file")
        }
    }

    /// Reads the manifest; nil if there is none that lazyimg wrote.
    init?(in folder: OutputFolder, manifest: String) {
        let path = folder.path(of: manifest)
        guard let bytes = try? FileBytes(name: path.systemPath, label: path).contiguous(),
            let text = bytes.withBytes({ String(validating: $0, as: UTF8.self) }),
            let manifest = JSONText.value(text, as: Manifest.self)
        else { return nil }
        self.folder = folder
        names = manifest.frames.compactMap(\.file).filter(Self.isPlain)
    }

    /// Removes the files that were not written again.
    func remove(but kept: [String]) {
        let kept = Set(kept.map { PathKey($0) })
        for name in names where !kept.contains(PathKey(name)) {
            let path = folder.path(of: name)
            if FileKind(path) == .file { unlink(path.systemPath) }
        }
    }

    // The name of a file in the folder itself: a manifest must not name files elsewhere.
    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.lastSlash == nil && name != "." && name != ".."
            && !name.utf8.contains(0)
    }
}
