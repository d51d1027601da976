import Glibc

/// The names in a folder.
package enum FolderNames {
    /// All but `.` and `..`; throws where they cannot be read to the end.
    ///
    /// A list that breaks off looks like one that ends, but for `errno`.
    package static func read(_ path: String) throws(SystemError) -> [String] {
        guard let handle = opendir(path.systemPath) else { throw .last }
        defer { closedir(handle) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(handle) else { break }
            let name = FileName.text(of: entry)
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw .last }
        return names
    }

    /// The same; none where there is no such folder.
    package static func readIfPresent(_ path: String) throws(SystemError) -> [String] {
        do throws(SystemError) { return try read(path) } catch {
            guard error.code == ENOENT else { throw error }
            return []
        }
    }
}
