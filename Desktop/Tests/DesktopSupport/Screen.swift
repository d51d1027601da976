import Foundation

/// An X server without a screen.
public final class Screen {
    /// The display, such as `:99`.
    public let display: String
    private let server: Program

    /// Starts a server on a free display.
    public init(width: Int = 1280, height: Int = 800) throws {
        server = try Program(
            "Xvfb",
            [
                "-displayfd", "1", "-screen", "0", "\(width)x\(height)x24", "+extension", "GLX",
                "-nolisten", "tcp",
            ])
        guard let number = server.line() else { throw Missing() }
        display = ":" + number
    }

    /// The server did not start.
    public struct Missing: Error {}

    /// The environment of programs on this screen: the renderer is exact, nothing outside is asked.
    public func environment(renderer: String = "cairo") -> [String: String] {
        [
            "DISPLAY": display, "GDK_BACKEND": "x11", "GSK_RENDERER": renderer,
            "LIBGL_ALWAYS_SOFTWARE": "1", "GTK_A11Y": "none", "GSETTINGS_BACKEND": "memory",
            "GIO_USE_VFS": "local", "LC_ALL": "C.UTF-8", "XDG_CACHE_HOME": Self.caches,
        ]
    }

    private static let caches = NSTemporaryDirectory() + "lazyimg-desktop-tests-\(getpid())"

    /// Writes a picture of the screen, or of a part of it, as PNG.
    public func write(to path: String, area: String? = nil) throws {
        let crop = area.map { ["-crop", $0, "+repage"] } ?? []
        _ = try Program.output(
            "import", ["-window", "root"] + crop + [path], environment: ["DISPLAY": display])
    }

    /// The pixels of a part of the screen: red, green and blue.
    public func pixels(area: String) throws -> [UInt8] {
        try Program.output(
            "import", ["-window", "root", "-crop", area, "+repage", "-depth", "8", "rgb:-"],
            environment: ["DISPLAY": display])
    }

    /// Sends keys and pointer events; see xdotool(1).
    public func send(_ words: String...) throws {
        _ = try Program.output("xdotool", words, environment: ["DISPLAY": display])
    }
}

/// Where the programs and the media of the tests are.
public enum Place {
    /// A program of this package.
    public static func program(_ name: String) -> String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent(name).path
    }

    /// A file of `media/`.
    public static func media(_ name: String) -> String {
        root + "media/" + name
    }

    /// The folder of the repository.
    public static let root =
        URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path + "/"
}
