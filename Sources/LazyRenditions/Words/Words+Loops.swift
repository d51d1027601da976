public import LazyMedia

extension Words {
    /// `3`, `once`, `forever`, `source`: a number of plays, or that of the source.
    public static let loops = Grammar<Looping>(
        "write a number of plays, 'once', 'forever' (0 elsewhere) or 'source'",
        words: ["once", "forever", "source"], shape: "once|no|forever|inf|source|\(count.shape)",
        samples: ["3", "once", "no", "forever", "inf", "source"],
        read: { text in
            switch text {
            case "forever", "inf": .forever
            case "once", "no": .once
            case "source": .asAuthored
            default: (try? count.parse(text)).map { .times($0) }
            }
        },
        print: { loops in
            switch loops {
            case .asAuthored: "source"
            case .forever: "forever"
            case .once: "once"
            case .times(let number): "\(number)"
            }
        })

    /// The same without the source's.
    package static let plays = loops.only(
        "write a number of plays, 'once' or 'forever' (0 elsewhere)", words: ["once", "forever"],
        samples: ["3", "once", "forever"]
    ) { $0 != .asAuthored }
}
