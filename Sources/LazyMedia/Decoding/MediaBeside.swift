/// Media that may be decoded elsewhere, where other bytes can be opened, too.
package protocol MediaBeside: OpenedMedia {
    /// Opens other bytes where this media is decoded; nil where that is this process.
    func openBeside(
        as type: MediaType, _ cancellation: CancellationFlag,
        _ bytes: () throws(MediaError) -> any ByteSource
    ) throws(MediaError) -> (any OpenedMedia)?
}

extension OpenedMedia {
    /// Opens other bytes in a process of their own where this media is decoded in one; nil where it is decoded here.
    ///
    /// For what is drawn over the frames and comes from strangers, too. `bytes` is called only for that process.
    package func openedBeside(
        as type: MediaType, _ cancellation: CancellationFlag,
        _ bytes: () throws(MediaError) -> any ByteSource
    ) throws(MediaError) -> (any OpenedMedia)? {
        if let media = self as? any MediaBeside {
            return try media.openBeside(as: type, cancellation, bytes)
        }
        return try (self as? any MappedMedia)?.base.openedBeside(as: type, cancellation, bytes)
    }
}
