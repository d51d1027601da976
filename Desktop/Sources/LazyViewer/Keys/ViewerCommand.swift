/// What the viewer can be told to do.
package enum ViewerCommand: String, CaseIterable, Sendable {
    case nextItem, previousItem, firstItem, lastItem
    case playPause, nextFrame, previousFrame, forward, back, forwardLong, backLong
    case start, faster, slower, normalSpeed, reverse, toggleLoop
    case zoomIn, zoomOut, fit, actualSize, rotateRight, rotateLeft
    case fullScreen, information, grid, escape, help, quit
    case copyFrame, saveFrame, open, retry

    /// The groups of the overlay of keys.
    package enum Group: String, CaseIterable, Sendable {
        case files = "Files"
        case playing = "Playing"
        case view = "View"
        case program = "Program"
    }

    package var group: Group {
        switch self {
        case .nextItem, .previousItem, .firstItem, .lastItem, .open, .copyFrame, .saveFrame,
            .retry:
            .files
        case .playPause, .nextFrame, .previousFrame, .forward, .back, .forwardLong, .backLong,
            .start, .faster, .slower, .normalSpeed, .reverse, .toggleLoop:
            .playing
        case .zoomIn, .zoomOut, .fit, .actualSize, .rotateRight, .rotateLeft, .fullScreen,
            .information, .grid:
            .view
        case .escape, .help, .quit: .program
        }
    }

    /// What it does, for the overlay of keys and for tooltips.
    package var title: String {
        switch self {
        case .nextItem: "Next file"
        case .previousItem: "Previous file"
        case .firstItem: "First file"
        case .lastItem: "Last file"
        case .playPause: "Play or pause"
        case .nextFrame: "Next frame"
        case .previousFrame: "Previous frame"
        case .forward: "5 seconds forward"
        case .back: "5 seconds back"
        case .forwardLong: "1 minute forward"
        case .backLong: "1 minute back"
        case .start: "To the start"
        case .faster: "Faster"
        case .slower: "Slower"
        case .normalSpeed: "Normal speed"
        case .reverse: "Play backwards"
        case .toggleLoop: "Loop forever"
        case .zoomIn: "Zoom in"
        case .zoomOut: "Zoom out"
        case .fit: "Fit into the window"
        case .actualSize: "One pixel per pixel"
        case .rotateRight: "Rotate clockwise"
        case .rotateLeft: "Rotate counterclockwise"
        case .fullScreen: "Full screen"
        case .information: "Information"
        case .grid: "Show all files"
        case .escape: "Leave full screen, the viewer or the program"
        case .help: "Show the keys"
        case .quit: "Quit"
        case .copyFrame: "Copy the frame"
        case .saveFrame: "Save the frame"
        case .open: "Open files"
        case .retry: "Load again"
        }
    }
}
