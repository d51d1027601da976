internal import LazyMedia

extension DecodingLimits {
    /// The bytes that the pictures of a film and the frames made of them may take together; nil for no limit.
    ///
    /// Half of `memory`, or 800 MB where that is more: the pictures that a film makes a decoder keep are those of a
    /// stranger, and 1 GB of them is enough for 8K with 10 bits.
    var filmMemory: Int? {
        memory.map { min($0, max($0 / 2, Self.leastFilmMemory)) }
    }

    private static let leastFilmMemory = 800_000_000

    /// Throws if the pictures of a film need more than that.
    func check(filmMemory count: Int) throws(MediaError) {
        guard let memory, let most = filmMemory, count > most else { return }
        guard count > Self.leastFilmMemory else { return try check(memory: count) }
        // So much is needed in all that the film may take this.
        let (whole, isTooMuch) = count.multipliedReportingOverflow(by: 2)
        throw MediaError(
            .limitExceeded,
            "The pictures of this film need \(count) bytes of memory at a time, more than \(most) bytes of the limit of \(memory) bytes.",
            excess: .init(
                limit: "memory", allowed: Int64(memory), actual: isTooMuch ? .max : Int64(whole)))
    }
}
