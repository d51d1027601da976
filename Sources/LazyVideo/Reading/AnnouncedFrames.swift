internal import LazyMedia

/// Frames that are going to be sought, while others may be left out.
struct AnnouncedFrames {
    private struct Frames {
        /// Their numbers, in ascending order.
        let numbers: [Int]
        /// The index of all frames, which the media may drop while they are read.
        let index: PacketIndex
    }

    private var frames: Frames?
    /// Whether pictures were left out that may be wanted after all: then only a seek leads to the next.
    private(set) var hasGaps = false

    /// Whether frames are announced.
    var isActive: Bool { frames != nil }

    /// The index, while frames are announced.
    var index: PacketIndex? { frames?.index }

    /// Announces frames by their numbers.
    mutating func begin(_ numbers: [Int], _ index: PacketIndex) {
        frames = Frames(numbers: numbers, index: index)
    }

    /// Ends the announcement before its last frame was returned; false where there is none.
    mutating func stop() -> Bool {
        guard frames != nil else { return false }
        (frames, hasGaps) = (nil, true)
        return true
    }

    /// Ends the announcement with its last frame, behind which nothing was left out; false before it.
    mutating func complete(before number: Int) -> Bool {
        guard let last = frames?.numbers.last, number > last else { return false }
        frames = nil
        return true
    }

    /// A seek has led to a picture, behind which nothing is left out.
    mutating func closeGaps() { hasGaps = false }

    /// Whether a frame is not left out.
    func contains(_ number: Int) -> Bool {
        guard let numbers = frames?.numbers else { return true }
        let index = numbers.partitionPoint { $0 < number }
        return index < numbers.count && numbers[index] == number
    }
}
