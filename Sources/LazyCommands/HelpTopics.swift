internal import LazyMedia

/// What `lazyimg help` explains beside the commands.
enum HelpTopic {
    /// The text of the topic that the arguments ask for, or nil where they ask for none.
    static func text(_ arguments: [String]) -> String? {
        arguments == ["help", "limits"] ? limits : nil
    }

    /// The limits of decoding, with the numbers of all profiles.
    static var limits: String {
        """
        What decoding may cost. A file over a limit ends with code 76 and the name of that limit.

        \(limitsTable)

        'local' is for files named on the command line, 'web' for addresses, data: URLs and standard
        input, where --limits names no other. --limits PROFILE chooses one for all inputs, and
        --limit NAME=VALUE changes single limits of it:

          lazyimg poster film.mp4 --limits untrusted
          lazyimg info drawing.png --limit pixels=400M,memory=4G
          lazyimg convert long.gif -o long.mp4 --limits web --limit frames=none,time=30m

        Neither the size of a file nor its play length is limited: a film of hours gives its poster
        under every profile. Memory is that of one reader, beside some 60 MB for the program.

        """
    }

    private static var limitsTable: String {
        let rows = DecodingLimits.table
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
