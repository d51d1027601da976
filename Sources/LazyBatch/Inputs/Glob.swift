import Glibc
internal import LazyBase

/// Files that match a pattern such as `clips/**/*.mp4`.
///
/// `*`, `?` and `[a-z]` match within a name; `**` as a whole part of a path matches any number of
/// folders, without following links. Hidden names match only patterns with the full stop.
public enum Glob {
    /// Whether a text has wildcards.
    public static func isPattern(_ text: String) -> Bool {
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if !isEscaped, "*?[".unicodeScalars.contains(scalar) { return true }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return false
    }

    /// The matching files, without folders, in the order of the bytes of their paths.
    public static func files(_ pattern: String) -> [String] {
        var search = Search()
        let isRooted = pattern.isRooted
        var parts: [Search.Part] = []
        // Several `**` in a row mean the same as one, and would find files more than once.
        var isAfterFolders = false
        for part in pattern.pathParts where part != "**" || !isAfterFolders {
            isAfterFolders = part == "**"
            parts.append(isAfterFolders ? .folders : .name(GlobPattern(part)))
        }
        search.look(isRooted ? "/" : "", parts[...])
        return search.found.sorted(byPath: { $0 })
    }

    private struct Search {
        enum Part {
            case folders
            case name(GlobPattern)
        }

        var found: [String] = []

        /// Looks in a folder, whose path is empty or ends in a slash, for the rest of a pattern.
        mutating func look(_ folder: String, _ parts: ArraySlice<Part>) {
            guard let part = parts.first else { return }
            let rest = parts.dropFirst()
            switch part {
            case .folders:
                look(folder, rest.isEmpty ? [.name(GlobPattern("*"))] : rest)
                for name in names(folder) where !name.hasPrefix(".") {
                    // Links are not followed, which prevents cycles.
                    if Self.kind(folder + name, followsLinks: false) == S_IFDIR {
                        look(folder + name + "/", parts)
                    }
                }
            case .name(let pattern):
                if let literal = pattern.literal {
                    take(folder, literal, rest)
                } else {
                    for name in names(folder) where pattern.matches(name) {
                        take(folder, name, rest)
                    }
                }
            }
        }

        private mutating func take(_ folder: String, _ name: String, _ rest: ArraySlice<Part>) {
            let path = folder + name
            guard let kind = Self.kind(path, followsLinks: true) else { return }
            if rest.isEmpty {
                if kind != S_IFDIR { found.append(path) }
            } else if kind == S_IFDIR {
                look(path + "/", rest)
            }
        }

        private static func kind(_ path: String, followsLinks: Bool) -> mode_t? {
            var status = stat()
            let outcome =
                followsLinks ? stat(path.systemPath, &status) : lstat(path.systemPath, &status)
            return outcome == 0 ? status.st_mode & S_IFMT : nil
        }

        private mutating func names(_ folder: String) -> [String] {
            let folder = folder.isEmpty ? "." : folder
            do throws(SystemError) { return try FolderNames.readIfPresent(folder) } catch {
                // Reported when it cannot be opened as an input; a file has no names.
                if error.code != ENOTDIR { found.append(folder) }
                return []
            }
        }
    }
}
