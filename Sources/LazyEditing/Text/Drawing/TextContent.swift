package import LazyMedia

/// What a renderer draws: a script of its own, or the lines of a track.
package enum TextContent: Hashable, Sendable {
    /// A script in the format ASS.
    case script(String)
    /// Lines of a file, and its fonts.
    case track(SubtitleTrack)

    /// The fonts that come with it.
    var fonts: [SubtitleTrack.Font] {
        if case .track(let track) = self { return track.fonts }
        return []
    }
}
