internal import FoundationEssentials

/// Makes the addresses of segments, when they are asked for, from what a playlist says of each.
///
/// Addresses are not kept: a hundred thousand of them, each a copy of a base or of a variable, would be far larger
/// than the playlist.
protocol SegmentNaming: Sendable {
    /// The address of a segment.
    func address(_ name: SegmentName) throws(StreamError) -> URL
}

/// What tells a segment from the others of its playlist: two numbers, whose meaning is that of the naming.
struct SegmentName: Hashable, Sendable {
    var first = 0
    var second = 0
}

/// One address, for all.
struct FixedName: SegmentNaming {
    let url: URL

    func address(_ name: SegmentName) -> URL { url }
}

/// The bounds of texts that playlists make.
enum StreamText {
    /// The size that an address may have, with all variables and numbers in it.
    static let maxAddress = 1 << 16

    static func tooLong(_ playlist: String) -> StreamError {
        .malformed("The \(playlist) has an address of more than \(maxAddress >> 10) KiB.")
    }
}
