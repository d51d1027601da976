import Glibc
package import LazyBytes

/// Operations on paths as texts.
package enum FilePath {
    /// The path of a name in a folder; the folder `.` adds nothing.
    package static func joined(_ folder: String, _ name: String) -> String {
        if folder == "." { return name }
        return folder.endsInSlash ? folder + name : folder + "/" + name
    }

    /// The path without empty parts, `.` and `..`: `./a//b/../c` is `a/c`.
    package static func normalized(_ path: String) -> String {
        let isRooted = path.isRooted
        var parts: [Substring] = []
        for part in path.pathParts where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if part != ".." || !isRooted {
                parts.append(part)
            }
        }
        return (isRooted ? "/" : "") + parts.joined(separator: "/")
    }

    /// The normalized path from the root.
    package static func absolute(_ path: String) -> String {
        if path.isRooted { return normalized(path) }
        guard let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return normalized(FileName.text(folder) + "/" + path)
    }
}

extension FilePath {
    /// Creates a folder and its parents where they are missing; returns the created ones.
    ///
    /// Throws `ENOTDIR` where something else has the name.
    package static func createFolder(_ path: String) throws(SystemError) -> [String] {
        var status = stat()
        if stat(path.systemPath, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError(code: ENOTDIR) }
            return []
        }
        var created: [String] = []
        for end in path.utf8.indices
        where end > path.startIndex && path.utf8[end] == UInt8(ascii: "/") {
            let folder = String(path[..<end])
            if mkdir(folder.systemPath, 0o777) == 0 { created.append(folder) }
        }
        if mkdir(path.systemPath, 0o777) == 0 {
            created.append(path)
        } else if errno != EEXIST {
            throw .last
        }
        return created
    }

    /// The file name extension of a path, without the full stop, or nil.
    package static func fileExtension(of path: String) -> String? {
        let file = path.pathParts.last ?? ""
        return file.contains(".") ? file.split(separator: ".").last.map(String.init) : nil
    }
}
