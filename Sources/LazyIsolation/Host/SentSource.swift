internal import CSandbox
internal import LazyBase
internal import LazyMedia

/// How a decoder gets the bytes of media.
///
/// A file is passed as it is open, for reading only. What is in memory is copied once, into memory that
/// nobody can change. Everything else, and what is large, is read by the host range by range.
struct SentSource {
    let description: SourceDescription
    /// What goes with the description; valid as long as this value and the source.
    let descriptor: CInt?
    private let copy: FileDescriptor?

    private static let maxCopied = 64 << 20

    init(_ bytes: any ByteSource, _ type: MediaType, track: Int?) throws(MediaError) {
        var kind = SourceDescription.Kind.ranges
        var copy: FileDescriptor?
        var descriptor: CInt?
        if let file = bytes as? any FileReading, let open = file.openFile {
            (kind, descriptor) = (.file, open)
        } else if !bytes.isRemote, bytes.count <= Self.maxCopied {
            let whole = try bytes.contiguous()
            do throws(SystemError) {
                copy = try whole.withBytes { (bytes) throws(SystemError) in
                    try FileDescriptor(
                        checking: sandbox_sealed_copy(bytes.baseAddress, bytes.count))
                }
            } catch {
                throw error.mediaError("make", "memory for the input")
            }
            (kind, descriptor) = (.memory, copy?.number)
        }
        self.copy = copy
        self.descriptor = descriptor
        description = SourceDescription(
            kind: kind, count: bytes.count, isRemote: bytes.isRemote, isPartial: bytes.isPartial,
            arrived: bytes.arrived, fetchesRanges: bytes.isRemote && bytes.hasReachableEnd,
            type: type, track: track)
    }
}
