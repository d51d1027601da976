import Glibc
internal import LazyBase

/// The file system that a folder is on.
///
/// The number of a device depends on the order of mounts, and the next drive may get it. So the identifier of the
/// file system itself decides, where it has one.
struct Volume: Hashable, Sendable {
    let device: UInt64
    /// The identifier by `statvfs`; 0 for none.
    let identifier: UInt64

    init(device: UInt64, identifier: UInt64 = 0) {
        (self.device, self.identifier) = (device, identifier)
    }

    /// That of a path, or nil where it cannot be asked.
    init?(_ path: String) {
        var (file, system) = (stat(), statvfs())
        guard stat(path.systemPath, &file) == 0 else { return nil }
        let isKnown = statvfs(path.systemPath, &system) == 0
        self.init(
            device: UInt64(file.st_dev), identifier: isKnown ? UInt64(system.f_fsid) : 0)
    }

    /// Whether both are one file system.
    func isSame(as other: Volume) -> Bool {
        identifier != 0 && other.identifier != 0
            ? identifier == other.identifier : device == other.device
    }
}

extension Volume {
    /// `DEVICE:IDENTIFIER`, as in records.
    var text: String { "\(device):\(identifier)" }

    /// Reads that text.
    init?(text: some StringProtocol) {
        let words = text.split(separator: ":", omittingEmptySubsequences: false)
        guard words.count == 2, let device = UInt64(words[0]), let identifier = UInt64(words[1])
        else { return nil }
        self.init(device: device, identifier: identifier)
    }
}
