import Glibc
internal import LazyBase
internal import LazyKit
internal import LazyMedia

/// The thumbnails that desktops share, by the Thumbnail Managing Standard of freedesktop.org.
struct ThumbnailCache: Sendable {
    /// The folder, `$XDG_CACHE_HOME/thumbnails`; empty without a home folder, and nothing is stored.
    let root: String

    /// The cache of this user.
    static var standard: ThumbnailCache {
        if let path = getenv("XDG_CACHE_HOME"), path.pointee == CChar(UInt8(ascii: "/")) {
            return ThumbnailCache(root: FileName.text(path) + "/thumbnails")
        }
        let home = getenv("HOME").map { FileName.text($0) } ?? ""
        return ThumbnailCache(root: home.hasPrefix("/") ? home + "/.cache/thumbnails" : "")
    }

    /// The path of a file's thumbnail.
    func path(of address: ThumbnailAddress, _ size: ThumbnailSize) -> String {
        "\(root)/\(size.rawValue)/\(address.fileName)"
    }

    /// The path of the record that a file has none.
    func failurePath(of address: ThumbnailAddress) -> String {
        "\(root)/fail/lazyimg-\(Version.number)/\(address.fileName)"
    }

    /// Whether a thumbnail, or the record of a failure, exists and is still valid for its file.
    func isValid(_ path: String, for source: ThumbnailSource) -> Bool {
        guard let place = relative(path),
            let folder = try? OwnedFolder.open(root, making: false, isPrivate: false),
            let bytes = folder.contents(of: place), let texts = PNGTexts.read(bytes)
        else { return false }
        // The size is optional; the other two are required.
        return texts["Thumb::URI"] == source.address.uri
            && texts["Thumb::MTime"] == String(source.changed)
            && texts["Thumb::Size"].map { $0 == String(source.size) } ?? true
    }

    /// Writes a thumbnail atomically, readable only by its owner; returns its size.
    func write(
        _ bitmap: Bitmap, _ texts: [(key: String, value: String)], to path: String
    ) throws(CommandFailure) -> Int {
        do throws(MediaError) {
            // Small, whatever its size.
            let bytes = try EncoderRegistry.standard.stillEncoder(for: .png)
                .encode(StillPicture(bitmap, texts: texts)) { (bytes) throws(MediaError) in
                    Array(bytes)
                }
            try put(bytes, path)
            return bytes.count
        } catch {
            throw CommandFailure(.inputOutput, error.code.rawValue, error.message)
        }
    }

    /// Records that there is no thumbnail of a file, until the file changes.
    func writeFailure(of source: ThumbnailSource) {
        let path = failurePath(of: source.address)
        let pixel = try? Bitmap(size: PixelSize(width: 1, height: 1), isOpaque: false) {
            (rows) throws(MediaError) in
            for channel in 0..<4 { rows[channel] = 0 }
        }
        guard let pixel else { return }
        _ = try? write(pixel, source.texts, to: path)
    }

    /// Removes the record of a failure.
    func removeFailure(of address: ThumbnailAddress) {
        guard let place = relative(failurePath(of: address)) else { return }
        _ = try? OwnedFolder.open(root, making: false, isPrivate: false).remove(place)
    }

    // In the folder no link is followed, and no other user's folder is used: root may run
    // with the environment of another user.
    private func put(_ bytes: [UInt8], _ path: String) throws(MediaError) {
        do throws(SystemError) {
            guard let place = relative(path) else { throw SystemError(code: ENOENT) }
            try OwnedFolder.open(root, isPrivate: false).replace(place, with: bytes, at: path)
        } catch {
            throw error.mediaError("write", path)
        }
    }

    private func relative(_ path: String) -> String? {
        guard root.hasPrefix("/"), path.hasPrefix(root + "/") else { return nil }
        return String(path.dropFirst(root.utf8.count + 1))
    }
}

/// The file that a thumbnail is of.
struct ThumbnailSource: Sendable {
    let address: ThumbnailAddress
    /// When it last changed, in seconds since 1970.
    let changed: Int
    /// Its bytes.
    let size: Int

    /// Reads the metadata of an input's file; throws if it is not a file, or is a thumbnail.
    init(_ input: Input, _ cache: ThumbnailCache) throws(CommandFailure) {
        guard case .path(let given) = input.address else {
            throw .usage("Desktop thumbnails need a file, which \(input.label) is not.")
        }
        let path = FilePath.absolute(given)
        guard !path.hasPathPrefix(cache.root + "/") else {
            throw .usage("\(input.label) is itself a thumbnail.")
        }
        var status = stat()
        guard stat(path.systemPath, &status) == 0 else {
            throw CommandFailure(SystemError.last.mediaError("open", given), about: input.label)
        }
        address = ThumbnailAddress(path: path)
        changed = status.st_mtim.tv_sec
        size = Int(status.st_size)
    }

    /// Whether the file is stable: changed neither during the work nor within the last minute, as one
    /// that is still being written has.
    ///
    /// The record of a failure depends on the modification time in whole seconds.
    func isSettled(_ input: Input) -> Bool {
        guard case .path(let path) = input.address else { return false }
        var status = stat()
        guard stat(path.systemPath, &status) == 0 else { return false }
        return status.st_mtim.tv_sec == changed && Int(status.st_size) == size
            && time(nil) - changed >= 60
    }

    /// The text chunks of every thumbnail.
    var texts: [(key: String, value: String)] {
        [
            ("Thumb::URI", address.uri),
            ("Thumb::MTime", String(changed)),
            ("Thumb::Size", String(size)),
            ("Software", "lazyimg \(Version.number)"),
        ]
    }

    /// The same with the type of the media.
    func texts(_ info: MediaInfo) -> [(key: String, value: String)] {
        var texts = texts
        texts.append(("Thumb::Mimetype", info.type.mimeType))
        texts.append(("Thumb::Image::Width", String(info.size.width)))
        texts.append(("Thumb::Image::Height", String(info.size.height)))
        if let duration = info.duration, duration > .zero {
            let seconds = Int(saturating: duration / .seconds(1))
            texts.append(("Thumb::Movie::Length", String(seconds)))
        }
        return texts
    }
}

extension OwnedFolder {
    /// Writes a private file as `replace` does, and tells of it before it gets its name.
    fileprivate func replace(_ place: String, with bytes: [UInt8], at path: String)
        throws(SystemError)
    {
        for end in place.indices where place[end] == "/" { try makeFolder(String(place[..<end])) }
        let temporary =
            place.parentFolder + "/.lazyimg-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let file = try open(temporary, O_WRONLY | O_CREAT | O_EXCL)
        do throws(SystemError) {
            try file.write(bytes, at: 0)
            try NewFile.willPublish?(path, file.number)
            try rename(temporary, to: place)
        } catch {
            remove(temporary)
            throw error
        }
    }
}
