internal import LazyMedia

/// Where a reader is: the number of the next frame, and the pictures around it that are decoded.
struct ReadingPosition {
    /// The number of the next frame.
    private(set) var number = 0
    /// Its picture, where it is decoded already.
    private(set) var held: Picture?
    /// The picture before it, kept for deinterlacing; nil where it is unknown.
    private(set) var previous: Picture?
    private(set) var isAtEnd = false

    /// Moves before a frame; whether its picture is decoded or not.
    mutating func move(to number: Int, _ picture: Picture?) {
        (self.number, held, previous, isAtEnd) = (number, picture, nil, false)
    }

    /// Moves behind the last of so many frames.
    mutating func finish(at count: Int) {
        (number, held, previous, isAtEnd) = (count, nil, nil, true)
    }

    /// Has the picture of the next frame.
    mutating func hold(_ picture: Picture) { held = picture }

    /// Gives up the pictures, but not the number.
    mutating func release() { (held, previous) = (nil, nil) }

    /// Gives up the picture of the next frame.
    mutating func releaseHeld() { held = nil }

    /// Moves behind the next frame, whose picture becomes the previous one, or unknown.
    mutating func advance(keeping previous: Picture?, next: Picture? = nil) {
        (self.previous, held, number) = (previous, next, number + 1)
    }

    /// There is no next frame.
    mutating func end() { isAtEnd = true }
}
