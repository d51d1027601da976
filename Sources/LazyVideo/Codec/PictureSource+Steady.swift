internal import LazyMedia

/// Damaged streams, whose pictures are the same each time they are decoded.
///
/// FFmpeg fills what it cannot decode from what other threads have decoded so far, and from what its recycled memory held
/// before. So at the first damage, which may be that of a later packet, decoding goes back to the last clean keyframe whose
/// picture was returned, or to where the run began, with one thread and pictures that begin black. After a group of
/// pictures without damage threads begin again, in files where keyframes are found by seeking. An undamaged stream costs
/// nothing; a damaged one the pictures since that keyframe, and its threads.
extension PictureSource {
    /// Decodes the next picture again, and all that follow, in this way.
    func repeatSteadily(skippingBefore time: Int64?) throws(MediaError) -> Picture? {
        let last = run.last
        try beginSteadily()
        guard let last else { return try decode(skippingBefore: time) }
        // Threads that began again before that picture might meet the damage again.
        isCatchingUp = true
        defer { isCatchingUp = false }
        // The pictures that were returned are sound, but may be others than those wanted from here on.
        let expected = selection.expected
        selection.expected = nil
        defer { selection.expected = expected }
        while let picture = try decode(skippingBefore: nil) {
            run.didReturn(picture)
            if picture.ticks == last {
                selection.expected = expected
                isCatchingUp = false
                return try decode(skippingBefore: time)
            }
        }
        return nil
    }

    /// Goes back to the beginning of the run with a decoder that gives the same pictures each time.
    func beginSteadily() throws(MediaError) {
        let beginning = run.beginning
        try codec.setSteady(true)
        switch beginning {
        case .start:
            try source.restart()
            didSeek(to: 0)
            run.begin(at: .start)
        case .entry(let entry): try start(at: entry)
        case .time(let ticks): _ = try startByCues(at: ticks)
        }
    }
}
