/// A reader that restarts for each play.
///
/// Unchecked: only the one producer of a `FramePump` calls it, and producers never overlap.
final class ReaderCycle: @unchecked Sendable {
    private let make: @Sendable () throws(MediaError) -> any FrameReader
    private let plays: Int?
    private var reader: (any FrameReader)?
    private var play = 0
    private var isEmptyPlay = true

    init(
        plays: Int?, make: @escaping @Sendable () throws(MediaError) -> any FrameReader
    ) {
        self.plays = plays
        self.make = make
    }

    func next() throws(MediaError) -> Frame? {
        while play < plays ?? .max {
            let reader = try openReader()
            if let frame = try reader.nextFrame() {
                isEmptyPlay = false
                return frame.inPlay(play)
            }
            // A play without frames would loop forever.
            if isEmptyPlay { return nil }
            play += 1
            isEmptyPlay = true
            if play < plays ?? .max { try reader.seek(toIndex: 0) }
        }
        return nil
    }

    private func openReader() throws(MediaError) -> any FrameReader {
        if let reader { return reader }
        let reader = try make()
        self.reader = reader
        return reader
    }
}
