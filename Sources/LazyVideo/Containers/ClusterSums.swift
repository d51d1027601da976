internal import CKernels
internal import LazyMedia

/// The check sums of a Matroska file's clusters (RFC 8794, 11.3.1), which FFmpeg writes and passes over when it reads.
///
/// Most decoders do not see that bits of a picture are wrong. A cluster is read once more when its first packet is
/// returned; of files at a server none is.
struct ClusterSums {
    private let clusters: MatroskaClusters
    private let end: Int
    private let start: Int
    // The offset of the first element behind those that were looked at.
    private var next: Int
    // The cluster that was looked at last.
    private var current = 0..<0

    /// Looks at nothing yet; nil of what is no file of Matroska, or has not arrived.
    init?(_ bytes: any ByteSource, _ cancellation: CancellationFlag) throws(MediaError) {
        guard !bytes.isRemote, !bytes.isPartial, let segment = try MatroskaSegment(bytes) else {
            return nil
        }
        clusters = MatroskaClusters(bytes, cancellation)
        (start, next, end) = (segment.content, segment.content, segment.end ?? bytes.count)
    }

    /// Forgets the cluster that was looked at, which is told of again.
    mutating func willSeek() { current = 0..<0 }

    /// Whether a packet is the first one that is read of a cluster that is damaged.
    mutating func areWrong(at position: Int) throws(MediaError) -> Bool {
        guard !current.contains(position) else { return false }
        if position < next { next = start }
        current = position..<position + 1
        while next <= position, next < end, let element = try clusters.element(at: next) {
            next = element.content.upperBound
            guard element.content.contains(position) else { continue }
            current = element.content
            guard element.name == MatroskaClusters.Name.cluster else { return false }
            return try isWrong(element.content)
        }
        return false
    }

    private func isWrong(_ content: Range<Int>) throws(MediaError) -> Bool {
        guard let first = try clusters.element(at: content.lowerBound),
            first.name == MatroskaClusters.Name.sum, first.content.count == 4
        else { return false }
        let told = try clusters.heads.bytes(4, at: first.content.lowerBound).reversed()
            .reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        var (sum, place): (UInt32, Int) = (0, first.content.upperBound)
        while place < content.upperBound {
            let part = try clusters.heads.source.bytes(
                min(Self.part, content.upperBound - place), at: place)
            guard !part.isEmpty else { return false }
            sum = ccluster_crc32(sum, part, part.count)
            place += part.count
        }
        return sum != told
    }

    /// As much is held at once.
    private static let part = 1 << 16
}
