import Glibc

/// One spelling for all paths of a file, as far as the text tells.
package enum CanonicalPath {
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
