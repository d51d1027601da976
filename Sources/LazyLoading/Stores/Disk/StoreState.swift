internal import Glibc
internal import LazyBase

/// The counters of all processes on one folder, in a file that is locked during changes.
///
/// The lock also serializes removals and commits.
struct StoreState: Equatable {
    /// The approximate size of all files of entries.
    var byteCount = 0
    /// The time of the last sweep.
    var sweptAt: WallTime?

    private static let magic = Array("LZYSTAT1".utf8)

    var encoded: [UInt8] {
        let bytes =
            Self.magic + UInt64(max(0, byteCount)).bytes
            + UInt64(bitPattern: sweptAt?.milliseconds ?? .min).bytes
        return bytes + EntryFormat.sum(bytes).bytes
    }

    init() {}

    init?(_ bytes: [UInt8]) {
        guard bytes.count == 28, bytes.starts(with: Self.magic),
            EntryFormat.sum(Array(bytes[..<24])) == UInt32(bytes, at: 24)
        else { return nil }
        byteCount = Int(clamping: UInt64(bytes, at: 8))
        let time = Int64(bitPattern: UInt64(bytes, at: 16))
        sweptAt = time == .min ? nil : WallTime(milliseconds: time)
    }

    /// Changes the state under its lock; a damaged one starts from zero.
    @discardableResult
    static func update<Result>(
        in root: OwnedFolder, _ change: (inout StoreState) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        let file = try root.open(DiskLayout.state, O_RDWR | O_CREAT)
        _ = try file.lock(waiting: true)
        let before = StoreState(try file.bytes(at: 0, count: 28))
        var state = before ?? StoreState()
        let result = try change(&state)
        if state != before { try file.write(state.encoded, at: 0) }
        return result
    }

    static func read(in root: OwnedFolder) -> StoreState {
        guard let file = try? root.openToRead(DiskLayout.state),
            let bytes = try? file.bytes(at: 0, count: 28)
        else { return StoreState() }
        return StoreState(bytes) ?? StoreState()
    }
}
