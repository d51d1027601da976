internal import LazyBytes
internal import LazyMedia

extension BlockingPool {
    /// The threads that wait for remote bytes, so that decoding what is at hand does not wait too.
    static let remote = BlockingPool(width: 16)
}

extension DecodeJob {
    /// The threads to decode on.
    var pool: BlockingPool { bytes.isRemote ? .remote : .shared }

    /// Makes the flag end reads of remote bytes too; returns what to forget afterwards.
    func endsReads() -> Int? {
        guard bytes.isRemote else { return nil }
        return flag.onCancel { [bytes] in bytes.cancelReads() }
    }
}
