internal import LazyBase
internal import LazyBatch
internal import LazyKit
internal import LazyMedia

/// Which of the media in a folder are inputs.
struct FolderFilter: Sendable {
    /// The families of formats, by the content of the files; nil for all.
    var families: Set<MediaType.Family>?
    /// Only files that changed after this time.
    var start: FileTime?
    /// What earlier runs made, which is no input.
    var journal: Journal?

    /// Whether a file of media is an input.
    func takes(_ path: String) -> Bool {
        if let start, !(FileTime(ofFile: path).map { $0 > start } ?? true) { return false }
        if let journal, journal.isOurs(FilePath.absolute(path)) { return false }
        guard let families else { return true }
        return families.contains(Self.family(of: path))
    }

    /// The family of a file by its first bytes.
    static func family(of path: String) -> MediaType.Family {
        guard let bytes = try? FileBytes(name: path.systemPath, label: path) else {
            return .unknown
        }
        return (try? MediaType.sniffing(bytes))?.family ?? .unknown
    }
}
