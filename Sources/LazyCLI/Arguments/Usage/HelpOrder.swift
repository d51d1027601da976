/// The one order of options in the help of all commands: the output, what of the input, its size and edits, then the rest,
/// and what is rarely used last.
enum HelpOrder {
    /// The sections and the options in them; others keep their place in the section that has them.
    static let sections: [(title: String, options: [String])] = [
        (
            "OUTPUT",
            [
                "--output", "--frames", "--format", "--for", "--in-place", "--name", "--quality",
                "--max-bytes", "--lossless", "--still", "--force", "--overwrite",
                "--skip-existing", "--allow-larger", "--layout", "--xdg-thumbnail", "--fallback",
                "--vtt", "--json-file", "--chapters", "--url-prefix", "--pattern",
                "--start-number", "--hash",
            ]
        ),
        ("INPUTS AND OUTPUTS", []), ("THE PAGE", ["--title", "--media", "--posters"]),
        (
            "WHAT",
            [
                "--at", "--start", "--end", "--duration", "--segments", "--every", "--scenes",
                "--interval", "--count", "--columns", "--rows", "--stamp", "--heading", "--pieces",
                "--whole", "--max-frames", "--fps", "--speed", "--reverse", "--bounce", "--loop",
                "--delay", "--loop-seam", "--crossfade", "--concat", "--audio", "--no-audio",
                "--keep", "--keyframes", "--exact", "--gap", "--track",
            ]
        ),
        ("SIZE", ["--size", "--width", "--height", "--fit", "--gravity"]),
        (
            "EDITS",
            [
                "--crop", "--trim", "--rotate", "--flip", "--pad", "--pad-color", "--text",
                "--text-gravity", "--text-size", "--text-color", "--watermark",
                "--watermark-size", "--watermark-gravity", "--watermark-opacity", "--subtitles",
                "--subtitle-encoding", "--background", "--matte",
            ]
        ),
        (
            "ENCODING",
            [
                "--effort", "--colors", "--dither", "--palettes", "--codec", "--undither",
                "--color", "--tone", "--deinterlace",
            ]
        ),
        ("OPTIONS OF --FRAMES", []), ("OPTIONS FOR THE TERMINAL", []), ("OPTIONS", []),
        (
            "FILES OF FOLDERS",
            [
                "--recursive", "--kind", "--newer", "--journal", "--no-journal", "--resume",
                "--prune",
            ]
        ),
        ("REPORTS", ["--json", "--jsonl", "--quiet", "--explain"]), ("FAILURES", []),
        ("MANY MACHINES", []), ("READING", ["--limits", "--limit", "--isolate"]),
        ("OPTIONS FOR THE NETWORK", []),
        ("OTHERS", ["--jobs", "--threads", "--version", "--help"]),
    ]

    /// Sections whose options are about one thing, and stay together.
    private static let kept = Set(sections.filter { $0.options.isEmpty }.map(\.title))
        .subtracting(["OPTIONS"])

    /// An option with the lines that explain it.
    private struct Entry {
        let name: String
        let section: String
        var lines: [Substring]
    }

    /// Help in this order; other text as it is.
    static func arranged(_ help: String) -> String {
        guard help.hasPrefix("OVERVIEW: ") || help.hasPrefix("USAGE: ") else { return help }
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        guard let usage = lines.firstIndex(where: { $0.hasPrefix("USAGE: ") }),
            let start = lines[usage...].firstIndex(where: isHeading)
        else { return help }
        var (head, entries, tail) = (Array(lines[..<start]), [Entry](), [Substring]())
        var heading: Substring = ""
        for line in lines[start...] {
            if isHeading(line) {
                heading = line.dropLast()
                if ["ARGUMENTS", "SUBCOMMANDS"].contains(heading) { add(line, to: heading) }
            } else if ["ARGUMENTS", "SUBCOMMANDS"].contains(heading) {
                add(line, to: heading)
            } else if line.hasPrefix("  -") {
                let name = name(of: line)
                entries.append(
                    Entry(name: name, section: section(of: name, String(heading)), lines: [line]))
            } else if !line.isEmpty, !entries.isEmpty {
                entries[entries.count - 1].lines.append(line)
            }
        }
        func add(_ line: Substring, to heading: Substring) {
            if heading == "ARGUMENTS" { head.append(line) } else { tail.append(line) }
        }
        for (title, options) in sections {
            let own = entries.filter { $0.section == title }
            guard !own.isEmpty else { continue }
            let known = options.flatMap { name in own.filter { $0.name == name } }
            let rest = own.filter { !options.contains($0.name) }
            head.append("\(title):")
            head += (known + rest).flatMap(\.lines)
            head.append("")
        }
        return (head + tail).joined(separator: "\n")
    }

    /// The section of an option that is declared under a heading.
    private static func section(of name: String, _ heading: String) -> String {
        if kept.contains(heading) { return heading }
        return sections.first { $0.options.contains(name) }?.title
            ?? (sections.contains { $0.title == heading } ? heading : "OPTIONS")
    }

    private static func isHeading(_ line: Substring) -> Bool {
        guard let first = line.first, first.isUppercase, line.hasSuffix(":") else { return false }
        return line.allSatisfy { !$0.isLowercase }
    }

    /// The long name of the option that a line begins with, or its short one.
    private static func name(of line: Substring) -> String {
        let words = line.split(whereSeparator: { " ,/".contains($0) }).prefix { $0.hasPrefix("-") }
        return String(words.first { $0.hasPrefix("--") } ?? words.first ?? "")
    }
}
