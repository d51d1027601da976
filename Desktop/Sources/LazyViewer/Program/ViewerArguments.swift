package import ArgumentParser
package import LazyOptions

/// The command line of `lazyimg-view`: that of `lazyimg view`, and what scripts need.
package struct ViewerArguments: ParsableCommand, Sendable {
    package static let configuration = CommandConfiguration(
        commandName: "lazyimg-view",
        abstract: "Shows images, animations and videos in a window.",
        discussion: """
            One file is shown with the other media of its folder before and after it. In the window, \
            press ? for the keys.

            Exit codes: 0 done; 64 wrong command line; 65 unreadable watermark or subtitles; 66 input \
            missing; 69 no display.
            """,
        version: "lazyimg-view 0.1.0")

    @OptionGroup package var view: ViewOptions

    @Flag(help: "Print what is shown, one JSON object a line.")
    package var trace = false

    package init() {}
}
