import Glibc
internal import LazyBase
internal import LazyKit
package import LazyMedia

/// Finds what the inputs of the command line name.
package struct ItemSearch {
    /// The items in order.
    package private(set) var items: [ViewerItem] = []
    /// The item that is shown first.
    package private(set) var first = 0
    /// The inputs that do not exist, or are no addresses.
    package private(set) var missing: [String] = []
    /// Whether one file was named, so that it is shown and not the grid.
    package private(set) var isOfOneFile = false
    private let families: Set<MediaType.Family>?
    private let edit: ViewerEdit?

    /// Looks at each input; one file alone comes with the media of its folder.
    package init(
        _ inputs: [String], families: Set<MediaType.Family>? = nil, edit: ViewerEdit? = nil
    ) {
        self.families = families
        self.edit = edit
        for input in inputs { take(input) }
        isOfOneFile =
            inputs.count == 1 && items.count == 1
            && Self.absolute(inputs[0]).map(Self.isFolder) != true
        if isOfOneFile, let path = items[0].path { takeNeighbors(of: items[0], path) }
        guard let edit else { return }
        for place in items.indices { items[place].edit = edit.named(items[place].name) }
    }

    private mutating func take(_ input: String) {
        if let item = ViewerItem(address: input) { return items.append(item) }
        guard let path = Self.absolute(input) else { return missing.append(input) }
        if Self.isFolder(path) {
            items += Self.media(in: path, families, isRecursive: true)
        } else if let item = ViewerItem(path: path) {
            items.append(item)
        }
    }

    private mutating func takeNeighbors(of item: ViewerItem, _ path: String) {
        let path = Array(path.utf8)
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return }
        let found = Self.media(in: Array(path[..<slash]), families, isRecursive: false)
        guard let place = found.firstIndex(where: { $0.url == item.url }) else { return }
        items = found
        first = place
    }

    /// The media of a folder and its subfolders, in natural order; hidden ones are left out.
    private static func media(
        in folder: [UInt8], _ families: Set<MediaType.Family>?, isRecursive: Bool
    ) -> [ViewerItem] {
        var files: [[UInt8]] = []
        var folders: [[UInt8]] = []
        for name in names(in: folder) {
            let path = folder + [UInt8(ascii: "/")] + name
            if isFolder(path) {
                // Links to folders are not followed, which prevents cycles.
                if isRecursive, !isLink(path) { folders.append(path) }
            } else if isMedia(String(decoding: name, as: UTF8.self), families) {
                files.append(path)
            }
        }
        return files.compactMap { ViewerItem(path: $0) }
            + folders.flatMap { media(in: $0, families, isRecursive: true) }
    }

    private static func names(in folder: [UInt8]) -> [[UInt8]] {
        guard let handle = withPath(folder.isEmpty ? [UInt8(ascii: "/")] : folder, opendir) else {
            return []
        }
        defer { closedir(handle) }
        var names: [(key: NaturalName, name: [UInt8])] = []
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                Array(bytes.prefix { $0 != 0 })
            }
            if name.first != UInt8(ascii: ".") {
                names.append((NaturalName(String(decoding: name, as: UTF8.self)), name))
            }
        }
        return names.sorted { $0.key < $1.key }.map(\.name)
    }

    private static func isMedia(_ name: String, _ families: Set<MediaType.Family>?) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
        guard let own = familiesOfExtensions[name[name.index(after: dot)...].lowercased()] else {
            return false
        }
        return families.map { !$0.isDisjoint(with: own) } ?? true
    }

    /// The families of formats that an extension stands for.
    private static let familiesOfExtensions: [String: Set<MediaType.Family>] = {
        var families: [String: Set<MediaType.Family>] = [:]
        for type in MediaType.all {
            for ending in type.fileExtensions { families[ending, default: []].insert(type.family) }
        }
        // TypeScript and sound have these too.
        for ending in ["ts", "ogg"] { families[ending] = nil }
        return families
    }()

    private static func absolute(_ path: String) -> [UInt8]? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }

    private static func isFolder(_ path: [UInt8]) -> Bool {
        var status = stat()
        return withPath(path) { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func isLink(_ path: [UInt8]) -> Bool {
        var status = stat()
        return withPath(path) { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    private static func withPath<Result>(
        _ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result
    ) -> Result {
        (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { preconditionFailure("not empty") }
            return body(start)
        }
    }
}
