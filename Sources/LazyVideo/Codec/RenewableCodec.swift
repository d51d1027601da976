internal import LazyMedia

/// The decoder of a stream, made again where a flush does not suffice.
struct RenewableCodec {
    /// Opens a decoder for the packets' stream, given a number of threads and whether every picture is decoded.
    typealias Opening = (any PacketSource, Int, Bool) throws(MediaError) -> VideoCodec

    private let open: Opening
    private let source: any PacketSource
    /// The threads of decoders that are not steady.
    private(set) var threads: Int
    // Whether every picture is decoded, as in a read from the start.
    private var decodesAll: Bool
    /// Whether damaged pictures come out the same each time.
    private(set) var isSteady = false
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
    /// Not every decoder is reset by a flush (APNG's keeps its canvas).
    mutating func restart() throws(MediaError) {
        decodesAll = true
        try renew()
    }

    /// Continues with another number of threads; the pictures inside the decoder are lost.
    mutating func renew(threads: Int) throws(MediaError) {
        guard threads != self.threads else { return }
        self.threads = threads
        if !isSteady { try renew() }
    }

    /// Continues with a decoder of one thread whose pictures begin black, or with one as before.
    ///
    /// What FFmpeg shows in place of damage depends on the order of its threads, and on what its memory held before.
    mutating func setSteady(_ isSteady: Bool) throws(MediaError) {
        self.isSteady = isSteady
        try renew()
    }

    private mutating func renew() throws(MediaError) {
        current = try open(source, isSteady ? 1 : threads, decodesAll)
        if isSteady { current.clearsPictures() }
    }
}
