extension ByteSource {
    /// Fills a buffer from an offset and returns the number of bytes; fewer only at the end.
    package func fill(
        _ buffer: UnsafeMutableRawBufferPointer, at offset: Int,
        cancellation: CancellationFlag = CancellationFlag()
    ) throws(MediaError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let got = try read(
                at: offset + filled, into: .init(rebasing: buffer[filled...]),
                cancellation: cancellation)
            guard got > 0 else { break }
            filled += got
        }
        return filled
    }

    /// Copies this many bytes from an offset; fewer at the end.
    package func bytes(
        _ count: Int, at offset: Int, cancellation: CancellationFlag = CancellationFlag()
    ) throws(MediaError) -> [UInt8] {
        guard count > 0 else { return [] }
        var got = Result<Int, MediaError>.success(0)
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            got = Result { () throws(MediaError) in
                try fill(.init(buffer), at: offset, cancellation: cancellation)
            }
            filled = (try? got.get()) ?? 0
        }
        _ = try got.get()
        return bytes
    }

    /// Copies this many bytes from an offset, or returns nil where there are fewer.
    package func exactly(_ count: Int, at offset: Int) throws(MediaError) -> [UInt8]? {
        guard count >= 0, offset >= 0, count <= self.count - offset else { return nil }
        let bytes = try bytes(count, at: offset)
        return bytes.count == count ? bytes : nil
    }

    /// Copies a range piece by piece; `name` is what an error calls the file.
    package func copy(
        _ range: Range<Int>, called name: String, to write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let piece = try bytes(min(1 << 18, range.upperBound - offset), at: offset)
            guard !piece.isEmpty else {
                throw MediaError(.truncated, "The \(name) ends while it is read.")
            }
            try write(piece)
            offset += piece.count
        }
    }

    /// Copies a range into separate memory.
    package func memory(
        _ range: Range<Int>, cancellation: CancellationFlag = CancellationFlag()
    ) throws(MediaError) -> MemoryBytes {
        try MemoryBytes(capacity: range.count) { (buffer) throws(MediaError) in
            try fill(buffer, at: range.lowerBound, cancellation: cancellation)
        }
    }

    /// The bytes in contiguous memory, if that is within the limit of memory.
    package func contiguous(within limits: DecodingLimits) throws(MediaError) -> MemoryBytes {
        try limits.check(memory: count)
        return try contiguous()
    }
}
