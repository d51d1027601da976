public import LazyBase
internal import LazyLoading
public import LazyMedia

extension RenditionTask {
    /// What is known of a result, before it is made or with it.
    public struct Head: Hashable, Sendable {
        /// The type of the bytes.
        public var type: MediaType
        /// The tag of the result; nil where nothing tells versions of the source apart before it is loaded.
        public var tag: Tag?
        /// The number of bytes, where a store has the result.
        public var byteCount: Int?
        /// How long the source is fresh by its server; nil where no server has said it.
        public var lifetime: Duration?
        /// How old the source is; nil where no server has said it.
        public var age: Duration?
        /// Whether the source was sent for the one who asked only: `private`, or with credentials.
        public var isPrivate = false
        /// Whether the source's server lets others keep it.
        public var isStorable = true

        /// The value of `Cache-Control` for the result, by what is left of the source's lifetime.
        ///
        /// Nil where no server has said one.
        public var cacheControl: String? {
            guard isStorable else { return "no-store" }
            guard let lifetime else { return nil }
            let rest = max(.zero, lifetime - (age ?? .zero)).wholeSeconds
            guard rest > 0 else { return "no-cache" }
            return "\(isPrivate ? "private" : "public"), max-age=\(rest)"
        }
    }

    /// What was made.
    public struct Response: Sendable {
        /// Its type, tag, length and age.
        public var head: Head
        /// The bytes, of which any number of readers may read any part.
        public var body: Blob
        /// The report in JSON.
        public var report: String
        /// The cache that had the result; nil if it was made.
        public var cacheType: CacheType?
        /// How long memory may answer so again without a look at the source; nil if it may not.
        package var repetition: Repetition?

        /// All bytes in pieces.
        public var pieces: Pieces { pieces(of: 0..<body.count) }

        /// A part of the bytes in pieces.
        ///
        /// Each is read when it is asked for: a slow reader holds no thread and no copy, and delays nobody.
        public func pieces(of range: Range<Int>) -> Pieces {
            Pieces(body: body, range: range.clamped(to: 0..<body.count))
        }
    }

    /// Until when the same bytes are the answer to an equal request.
    package struct Repetition: Sendable {
        private weak let presence: RenditionMemory.Presence?
        private let clock: any SteadyClock
        private let end: Duration

        init(_ entry: RenditionMemory.Entry, _ clock: any SteadyClock) {
            presence = entry.presence
            self.clock = clock
            // The age that fields tell has whole seconds, and memory has to know what is used.
            end = min(clock.now + .seconds(1), entry.freshness.end ?? .seconds(Int64(Int32.max)))
        }

        /// Whether that is so: memory has the result as it was, and its source is fresh.
        package var isRight: Bool { presence != nil && clock.now < end }
    }

    /// Bytes of a result, read piece by piece.
    public struct Pieces: AsyncSequence, Sendable {
        /// The bytes of one piece.
        public typealias Element = [UInt8]
        /// What reading a file that keeps them may throw.
        public typealias Failure = SystemError

        let body: Blob
        let range: Range<Int>
        /// Makes the bytes of a part.
        package init(body: Blob, range: Range<Int>) { (self.body, self.range) = (body, range) }

        /// The most bytes of a piece.
        static let size = 1 << 16

        /// The number of bytes.
        public var byteCount: Int { range.count }

        /// All of them at once, where they are in memory; nil where they are in a file.
        public var bytesInMemory: ArraySlice<UInt8>? { body.bytesInMemory?[range] }

        /// Begins to read.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(body: body, offset: range.lowerBound, end: range.upperBound)
        }

        /// Reads one piece after the other.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let body: Blob
            var offset: Int
            let end: Int

            /// The next piece, nil at the end; bytes of files are read on a thread that may block.
            public mutating func next() async throws(SystemError) -> [UInt8]? {
                let count = Swift.min(end - offset, Pieces.size)
                guard count > 0 else { return nil }
                let (body, start) = (body, offset)
                let piece =
                    if let bytes = body.bytesInMemory {
                        Array(bytes[start..<start + count])
                    } else {
                        try await BlockingPool.disk.run { () throws(SystemError) in
                            try body.bytes(at: start, count: count)
                        }
                    }
                guard piece.count == count else { throw SystemError(code: 5) }
                offset += count
                return piece
            }
        }
    }
}

// What the fields of an HTTP request ask for (RFC 9110).
extension RenditionTask.Response {
    /// The part of the body that a field `Range` asks for: nil where all of it is to be sent, an empty range where
    /// there is no such part (416).
    ///
    /// Of results that no store has, and for several ranges, the whole is sent, as RFC 9110, 14.2 allows. With a field
    /// `If-Range` only where it names this very result.
    public func part(ofRange field: String, ifRange: String? = nil) -> Range<Int>? {
        guard let tag = head.tag, !tag.isWeak, ifRange.map(tag.isNamed(inIfRange:)) ?? true
        else { return nil }
        return Self.part(ofRange: field, of: body.count)
    }

    /// The same for any bytes, so many of them, which are the same at the next request.
    package static func part(ofRange field: String, of count: Int) -> Range<Int>? {
        range(in: field).map { $0.resolved(in: count) ?? count..<count }
    }

    private static func range(in field: String) -> ByteRange? {
        guard field.lowercased().hasPrefix("bytes=") else { return nil }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map {
            $0.filter { $0 != " " && $0 != "\t" }
        }
        guard ends.count == 2,
            ends.allSatisfy({ $0.utf8.count < 19 && $0.utf8.allSatisfy(isDigit) })
        else { return nil }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, nil): return .from(first)
        case (let first?, let last?): return first <= last ? .bytes(first..<last + 1) : nil
        case (nil, let count?): return .last(count)
        case (nil, nil): return nil
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
