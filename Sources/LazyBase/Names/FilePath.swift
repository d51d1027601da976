import Glibc

/// Operations on paths as texts.
package enum FilePath {
    /// The path of a name in a folder; the folder `.` adds nothing.
    package static func joined(_ folder: String, _ name: String) -> String {
        if folder == "." { return name }
        return folder.endsInSlash ? folder + name : folder + "/" + name
    }

    /// The path without empty parts, `.` and `..`: `./a//b/../c` is `a/c`.
    package static func normalized(_ path: String) -> String {
        if isNormalized(path.utf8) { return path }
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

    // Whether nothing is removed, as for nearly every path: no empty part, and none that begins with a
    // full stop.
    private static func isNormalized(_ path: String.UTF8View) -> Bool {
        path.withContiguousStorageIfAvailable { bytes in
            guard let start = bytes.baseAddress, bytes.first != UInt8(ascii: ".") else {
                return bytes.isEmpty
            }
            let end = start + bytes.count
            var part = start
            while let found = memchr(part, CInt(UInt8(ascii: "/")), end - part) {
                part = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) + 1
                if part == end { return bytes.count == 1 }
                if part.pointee == UInt8(ascii: ".") || part.pointee == UInt8(ascii: "/") {
                    return false
                }
            }
            return true
        } ?? false
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
        var parentError: SystemError?
        for end in path.utf8.indices
        where end > path.startIndex && path.utf8[end] == UInt8(ascii: "/") {
            let folder = String(path[..<end])
            if mkdir(folder.systemPath, 0o777) == 0 {
                created.append(folder)
            } else if errno != EEXIST {
                parentError = parentError ?? .last
            }
        }
        if mkdir(path.systemPath, 0o777) == 0 {
            created.append(path)
        } else if errno != EEXIST {
            // A folder that is missing says less than why it could not be created.
            throw errno == ENOENT ? parentError ?? SystemError.last : SystemError.last
        }
        return created
    }

    /// The file name extension of a path, without the full stop, or nil.
    package static func fileExtension(of path: String) -> String? {
        let stop = UInt8(ascii: ".")
        var name = path.utf8[...]
        while name.last == UInt8(ascii: "/") { name.removeLast() }
        if let slash = name.lastIndex(of: UInt8(ascii: "/")) {
            name = name[name.index(after: slash)...]
        }
        guard name.contains(stop) else { return nil }
        // Full stops at the end begin no extension.
        while name.last == stop { name.removeLast() }
        if name.isEmpty { return nil }
        let start = name.lastIndex(of: stop).map { name.index(after: $0) } ?? name.startIndex
        return String(Substring(name[start...]))
    }
}
