internal import FoundationEssentials
internal import LazyBase

/// Fills names of segments in: `$Number%05d$` (ISO/IEC 23009-1, 5.3.9.4.4).
struct DASHTemplate: SegmentNaming {
    let text: String
    let id: String
    let bandwidth: String
    let base: StreamBase

    /// A name is a number and a time.
    func address(_ name: SegmentName) throws(StreamError) -> URL {
        try base.address(try filled(number: name.first, time: name.second))
    }

    func filled(number: Int?, time: Int?) throws(StreamError) -> String {
        var (filled, rest) = ("", text.utf8[...])
        func add(_ part: some StringProtocol) throws(StreamError) {
            filled += part
            guard filled.utf8.count <= StreamText.maxAddress else {
                throw StreamText.tooLong("DASH manifest")
            }
        }
        while let start = rest.firstIndex(of: UInt8(ascii: "$")) {
            try add(Substring(rest[..<start]))
            rest = rest[start...].dropFirst()
            guard let end = rest.firstIndex(of: UInt8(ascii: "$")) else { throw wrong }
            try add(try value(of: Substring(rest[..<end]), number, time))
            rest = rest[end...].dropFirst()
        }
        try add(Substring(rest))
        return filled
    }

    private func value(
        of word: Substring, _ number: Int?, _ time: Int?
    ) throws(StreamError) -> String {
        // The longest word is $RepresentationID$ with a format of a few digits.
        guard word.utf8.count <= StreamNumbers.longest else { throw wrong }
        let parts = word.split(separator: "%", maxSplits: 1)
        guard let name = parts.first else { return "$" }
        let value: String?
        switch name {
        case "RepresentationID": value = id
        case "Bandwidth": value = bandwidth
        case "Number": value = number.map(String.init)
        case "Time": value = time.map(String.init)
        default: value = nil
        }
        guard let value else { throw wrong }
        guard parts.count == 2 else { return value }
        let format = parts[1]
        guard format.hasPrefix("0"), format.hasSuffix("d"),
            let width = StreamNumbers.integer(format.dropFirst().dropLast()), width <= 32
        else { throw wrong }
        return String(repeating: "0", count: max(0, width - value.utf8.count)) + value
    }

    private var wrong: StreamError {
        .malformed("The DASH manifest has a wrong template: '\(text.prefix(80))'.")
    }
}

/// Addresses by the list of a manifest, whose place is the name; nil is that of the representation itself.
struct DASHList: SegmentNaming {
    let references: [String?]
    let base: StreamBase

    func address(_ name: SegmentName) throws(StreamError) -> URL {
        if let reference = references[name.first] { return try base.address(reference) }
        guard let url = base.url else {
            throw .malformed("The DASH manifest names no segments.")
        }
        return url
    }
}
