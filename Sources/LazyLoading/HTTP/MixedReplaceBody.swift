internal import LazyBase

extension LoadResponse {
    /// A camera's stream of pictures, each of which replaces the one before (`multipart/x-mixed-replace`), as one
    /// body of the pictures alone; other responses as they are.
    package var joiningPictures: LoadResponse {
        let type = head.headers["Content-Type"]?.lowercased() ?? ""
        guard type.hasPrefix("multipart/x-mixed-replace") else { return self }
        var head = head
        head.expectedCount = nil
        let parts = Locked(MixedReplaceParts())
        let source = body
        return LoadResponse(
            head: head,
            body: LoadBody { () async throws(LoadingError) in
                while let piece = try await source.next() {
                    let bytes = parts.withLock { $0.take(piece) }
                    if !bytes.isEmpty { return bytes }
                }
                return nil
            })
    }
}

/// Takes the parts out of a multipart body, piece by piece.
///
/// The delimiter is the first line that begins with two hyphens, because what cameras announce as the boundary has
/// them or lacks them. A part ends at its `Content-Length`, or else before the next delimiter.
struct MixedReplaceParts {
    private enum Place {
        case preamble
        case head
        /// In a part, of which a number of bytes is missing, or any number up to the delimiter.
        case part(Int?)
    }
    private static let longestLine = 8 << 10
    private var place = Place.preamble
    private var delimiter: [UInt8] = []
    private var waiting: [UInt8] = []
    private var count: Int?

    /// The bytes of parts in a piece and in what waited for it.
    mutating func take(_ piece: [UInt8]) -> [UInt8] {
        waiting += piece
        var bytes: [UInt8] = []
        while step(&bytes) {}
        return bytes
    }

    private mutating func step(_ bytes: inout [UInt8]) -> Bool {
        switch place {
        case .preamble, .head:
            guard let line = nextLine() else { return false }
            didRead(line)
        case .part(let missing?):
            guard !waiting.isEmpty else { return false }
            let taken = min(missing, waiting.count)
            bytes += waiting[..<taken]
            waiting.removeFirst(taken)
            place = taken == missing ? .preamble : .part(missing - taken)
        case .part(nil):
            let mark = [0x0D, 0x0A] + delimiter
            if let end = waiting.firstIndex(of: mark) {
                bytes += waiting[..<end]
                waiting.removeFirst(end + 2)
                place = .preamble
                return true
            }
            // The last bytes may begin a delimiter.
            let taken = max(0, waiting.count - mark.count)
            bytes += waiting[..<taken]
            waiting.removeFirst(taken)
            return false
        }
        return true
    }

    private mutating func didRead(_ line: [UInt8]) {
        if case .preamble = place {
            guard line.starts(with: [0x2D, 0x2D]), delimiter.isEmpty || line.starts(with: delimiter)
            else { return }
            if delimiter.isEmpty { delimiter = line }
            (place, count) = (.head, nil)
        } else if line.isEmpty {
            place = .part(count)
        } else {
            let parts = String(decoding: line, as: UTF8.self).split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-length" else { return }
            count = Int(parts[1].trimmed).flatMap { $0 > 0 ? $0 : nil }
        }
    }

    /// The next line without its end; what is too long for one is dropped.
    private mutating func nextLine() -> [UInt8]? {
        guard let end = waiting.firstIndex(of: 0x0A) else {
            if waiting.count > Self.longestLine { waiting = [] }
            return nil
        }
        var line = Array(waiting[..<end])
        waiting.removeFirst(end + 1)
        if line.last == 0x0D { line.removeLast() }
        return line
    }
}

extension [UInt8] {
    /// Where a sequence of bytes begins, or nil.
    fileprivate func firstIndex(of mark: [UInt8]) -> Int? {
        guard let first = mark.first, count >= mark.count else { return nil }
        var start = 0
        while let found = self[start...].firstIndex(of: first), found + mark.count <= count {
            if self[found...].starts(with: mark) { return found }
            start = found + 1
        }
        return nil
    }
}
