internal import LazyMedia

/// The decoder of a stream, made again where a flush does not suffice.
struct RenewableCodec {
    /// Opens a decoder for the packets' stream, given a number of threads and whether every picture is decoded.
    typealias Opening = (any PacketSource, Int, Bool) throws(MediaError) -> VideoCodec

    private let open: Opening
    private let source: any PacketSource
    private var threads: Int
    // Whether every picture is decoded, as in a read from the start.
    private var decodesAll: Bool
    private(set) var current: VideoCodec

    init(
        _ source: any PacketSource, threads: Int, decodesAll: Bool, open: @escaping Opening
    ) throws(MediaError) {
        (self.source, self.threads) = (source, threads)
        (self.decodesAll, self.open) = (decodesAll, open)
        current = try open(source, threads, decodesAll)
    }

    /// Begins from the start.
    ///
    /// Not every decoder is reset by a flush (APNG's keeps its canvas). How FFmpeg conceals damaged H.264 depends on
    /// the number of threads, so every read from the start uses the same.
    mutating func restart() throws(MediaError) {
        decodesAll = true
        current = try open(source, threads, decodesAll)
    }

    /// Continues with another number of threads; the pictures inside the decoder are lost.
    mutating func renew(threads: Int) throws(MediaError) {
        guard threads != self.threads else { return }
        self.threads = threads
        current = try open(source, threads, decodesAll)
    }
}
