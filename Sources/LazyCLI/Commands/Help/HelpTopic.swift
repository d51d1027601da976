internal import LazyMedia
internal import LazyRenditions

/// The topics of `lazyimg help` besides the commands.
enum HelpTopic: String, CaseIterable {
    case limits, isolation, rendition, report, `for`

    /// The text.
    var text: String {
        switch self {
        case .limits: Self.limitsText
        case .isolation: Self.isolationText
        case .rendition: Rendition.jsonSchema + "\n"
        case .report: Rendition.Report.jsonSchema + "\n"
        case .for: Self.platformText
        }
    }

    private static var platformText: String {
        let rows = Rendition.Platform.allCases.map { platform -> [String] in
            let bounds = platform.bounds
            let most = [
                bounds.length.map { $0.inSeconds }, bounds.rate.map { "\($0) fps" },
                bounds.frameCount.map { "\($0) frames" }, bounds.codec?.rawValue,
                bounds.stillByteCount.map { "\(ByteSize.text($0)) of a still" },
            ].compactMap(\.self).joined(separator: ", ")
            return [
                platform.rawValue,
                bounds.types.compactMap(\.fileExtensions.first).joined(separator: ", "),
                bounds.sides, ByteSize.text(bounds.byteCount), most,
            ]
        }
        let head = ["", "formats", "size", "bytes", "at most, only"]
        let sources = Rendition.Platform.allCases.map { platform in
            [platform.rawValue, "\(platform.bounds.source), \(platform.bounds.date)"]
        }
        return """
            What 'lazyimg animate --for PLATFORM' keeps to. What is not named by an option follows
            from it; an option that contradicts it is refused.

            \(table([head] + rows))

            An exact size keeps the whole picture and gets a transparent border; with --size 320x320^
            the picture covers it. The first format is the usual one. As read at:

            \(table(sources))

            """
    }

    private static let isolationText = """
        Where inputs are decoded. A decoder in a process of its own cannot open files or
        connections, start programs, or reach other processes, and a crash of it is an error
        of one input.

          --isolate auto     isolates URLs, standard input, --limits untrusted, and all
                             inputs of batch, gallery and view (the default)
          --isolate always   isolates all inputs
          --isolate never    decodes everything in this process

        This is also so for media in lists, folders and patterns, for joined inputs, and for
        --watermark and --fallback. The files of one list follow each other in one process.

        A decoder that crashes exits with code 65, one that is silent or was killed with 75,
        and one that needs more memory than its limit with 76. 'lazyimg doctor' prints which
        layers of isolation this machine has. With --limits untrusted an input is refused (69)
        where system calls cannot be filtered.

        'lazyimg warm' keeps a process with loaded libraries for the commands that follow;
        while it runs, --isolate auto isolates everything, because that is quicker.

        """

    private static var limitsText: String {
        """
        The limits of decoding. A file over a limit exits with code 76 and names the limit.

        \(limitsTable)

        'local' is for files named on the command line, 'web' for URLs, data: URLs and standard
        input, unless --limits PROFILE names one for all inputs.
        --limit NAME=VALUE changes individual limits:

          lazyimg poster film.mp4 --limits untrusted
          lazyimg info drawing.png --limit pixels=400M,memory=4G
          lazyimg convert long.gif -o long.mp4 --limits web --limit frames=none,time=30m

        Neither file size nor duration is limited: a film of several hours has a poster
        in every profile. Memory is that of one reader, in addition to some 60 MB for the program.
        With isolation this is the most of the program, too, and each decoder takes at most
        256 MB more than the limit, beside the frames that it hands over: two, or 64 MB of
        smaller ones.

        """
    }

    private static var limitsTable: String { table(DecodingLimits.table) }

    private static func table(_ rows: [[String]]) -> String {
        let widths = rows[0].indices.map { column in rows.map(\.[column].count).max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: max(0, width - cell.count))
            }
            let line = "  " + cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}
