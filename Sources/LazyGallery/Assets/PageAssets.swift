/// The files that every site has, as they are written.
///
/// They are texts in the sources, so that a program of one file has them.
enum PageAssets {
    /// What tells a page of ours.
    static let signature = #"<meta name="generator" content="lazyimg gallery">"#

    /// The script, whose parts share one scope.
    static let script = [
        head, items, placeholders, cards, grid, preview, viewer, controls,
    ].joined(separator: "\n")
}
