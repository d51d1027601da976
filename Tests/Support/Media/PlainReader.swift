package import LazyMedia

/// A reader of test media that leaves no picture out.
package protocol PlainReader: FrameReader {
    /// The next frame, or nil at the end.
    func frame() throws(MediaError) -> Frame?
}

extension PlainReader {
    package func nextFrame(
        where isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
        try frame().map { ($0.timing, $0) }
    }
}
