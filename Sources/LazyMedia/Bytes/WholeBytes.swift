internal import LazyBase

/// All bytes of a source in contiguous memory, read on the first call and kept.
package struct WholeBytes: ~Copyable, Sendable {
    private let kept = Locked<MemoryBytes?>(nil)

    /// Keeps nothing yet.
    package init() {}

    /// The bytes; one thread reads them, and others wait for it.
    package borrowing func bytes(of source: any ByteSource) throws(MediaError) -> MemoryBytes {
        let result: Result<MemoryBytes, MediaError> = kept.withLock { kept in
            if let kept { return .success(kept) }
            let bytes = Result { () throws(MediaError) in try source.memory(0..<source.count) }
            kept = try? bytes.get()
            return bytes
        }
        return try result.get()
    }
}
