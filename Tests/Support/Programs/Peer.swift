import Glibc
public import Testing

/// Other people's programs, whose answers ours are compared with.
public enum Peer {
    /// A program and how it is known: what to ask, a word of the answer, Debian's package.
    public struct Program: Sendable {
        /// The command that is run, and what asks it for its version.
        public let command: String, question: String
        /// What only this program answers.
        public let word: String
        /// The package of Debian 12 that has it.
        public let package: String

        init(_ command: String, _ question: String, _ word: String, package: String) {
            (self.command, self.question) = (command, question)
            (self.word, self.package) = (word, package)
        }
    }

    /// All programs that tests ask; each package is listed in `scripts/install-packages.sh`.
    public static let programs = [
        Program("ffmpeg", "-version", "ffmpeg version", package: "ffmpeg"),
        Program("ffprobe", "-version", "ffprobe version", package: "ffmpeg"),
        Program("gifsicle", "--version", "LCDF Gifsicle", package: "gifsicle"),
        Program("convert", "-version", "ImageMagick", package: "imagemagick"),
        Program("webpinfo", "-version", "WebP Decoder", package: "webp"),
        Program("webpmux", "-version", ".", package: "webp"),
        Program("dwebp", "-version", ".", package: "webp"),
        Program("avifdec", "--version", "dav1d", package: "libavif-bin"),
        Program("avifenc", "--version", "dav1d", package: "libavif-bin"),
        Program("djxl", "--version", "djxl v0", package: "libjxl-tools"),
        Program("cjxl", "--version", "cjxl v0", package: "libjxl-tools"),
        Program("heif-enc", "-h", "libheif", package: "libheif-examples"),
        Program("heif-convert", "-h", "libheif", package: "libheif-examples"),
        Program("tiffcp", "-h", "LIBTIFF", package: "libtiff-tools"),
        Program("tiff2rgba", "-h", "LIBTIFF", package: "libtiff-tools"),
        Program("tiffset", "", "usage: tiffset", package: "libtiff-tools"),
        Program("djpeg", "-version", "libjpeg-turbo", package: "libjpeg-turbo-progs"),
        Program("jpegtran", "-version", "libjpeg-turbo", package: "libjpeg-turbo-progs"),
        Program("gio", "version", ".", package: "libglib2.0-bin"),
        Program("time", "--version", "GNU", package: "time"),
        Program("tmux", "-V", "tmux", package: "tmux"),
        Program("kitty", "--version", "kitty", package: "kitty"),
        Program("foot", "--version", "foot version", package: "foot"),
        Program("xterm", "-version", "XTerm", package: "xterm"),
        Program("weston", "--version", "weston", package: "weston"),
        Program("Xvfb", "-help", "use: X", package: "xvfb"),
        Program("xdotool", "", "xdotool", package: "xdotool"),
        Program("fish", "--version", "fish, version", package: "fish"),
        Program("jsonschema", "--version", ".", package: "python3-jsonschema"),
        Program("dbus-daemon", "--version", "D-Bus Message Bus", package: "dbus-daemon"),
    ]

    /// Whether a program of the list is there and is the one that is meant.
    ///
    /// A file of that name is not enough: it may be another program, or not start at all.
    public static func isInstalled(_ command: String) -> Bool {
        guard let known = answers[command] else { preconditionFailure("\(command) is not listed") }
        return known
    }

    private static let answers = Dictionary(
        uniqueKeysWithValues: programs.map { program in
            let answer = output(of: "\(program.command) \(program.question) 2>&1 </dev/null")
            let text = String(decoding: answer, as: UTF8.self)
            let isMissing = text.contains("not found") || text.contains("No such file")
            return (program.command, text.contains(program.word) && !isMissing)
        })

    /// What a shell command writes to its standard output.
    public static func output(of command: String) -> [UInt8] {
        guard let pipe = popen(command, "re") else { return [] }
        defer { pclose(pipe) }
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&chunk, 1, chunk.count, pipe)
            if count == 0 { return result }
            result += chunk[..<count]
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests that open windows of terminals, which only `make test-terminals` asks for.
    public static var opensWindows: Self {
        .enabled(if: getenv("LAZYIMG_WINDOWS") != nil, "make test-terminals runs it")
    }

    /// Skips a test, with their names, where programs that it asks are missing.
    public static func needs(_ commands: String...) -> Self {
        let missing = commands.filter { !Peer.isInstalled($0) }
        return .enabled(
            if: missing.isEmpty, "\(missing.joined(separator: ", ")) missing")
    }
}
