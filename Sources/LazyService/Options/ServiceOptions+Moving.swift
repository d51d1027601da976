internal import LazyBase
internal import LazyEditing
internal import LazyMedia
internal import LazyRenditions

extension ServiceOptions {
    /// Sets what options say of films and animations; false for another option.
    mutating func setMoving(_ name: String, _ list: [String]) throws(WordError) -> Bool {
        let values = Values(list)
        switch name {
        case "da": isStill = list[0].meansYes
        case "vts": videoSecond = try Self.seconds(list[0])
        // A picture is exact in any case.
        case "vtk": break
        case "pg": page = try Words.distance.parse(list[0])
        case "pgs":
            guard try Self.count(list[0]) <= 1 else {
                throw WordError("one page is shown", given: list[0])
            }
        case "vta": animation = try Self.preview(values)
        case "vtt": sheet = try Self.tiles(values)
        case "lz_poster":
            poster = list[0].isEmpty ? nil : try Words.poster.parse(values.decoded(0))
        case "lz_animate":
            animation = AnimationOptions(
                seconds: try values.positive(0), rate: try values.positive(1))
        case "lz_segments": segments = try Self.parts(list[0])
        case "lz_sheet":
            sheet = SheetOptions(
                columns: try values.count(0) ?? 10, rows: try values.count(1),
                width: try values.count(2), interval: try values.positive(3))
        default: return false
        }
        return true
    }

    /// Step, delay in milliseconds, number, width and height of pictures, and how they get that size.
    ///
    /// A step of 0 is the best parts, one below 0 that with which they are of all of the film.
    private static func preview(_ values: Values) throws(WordError) -> AnimationOptions {
        var options = AnimationOptions()
        let step = try values.step(0)
        options.step = step.flatMap { $0 > 0 ? $0 : nil }
        options.isSpread = step ?? 0 < 0
        let delay = try values.positive(1)
        options.frames = try values.count(2)
        options.fitting = try values.fitting(from: 5)
        if options.isSpread, options.frames == nil {
            throw WordError("a step below 0 needs a number of frames", given: values.list[0])
        }
        if options.step == nil, !options.isSpread {
            options.rate = delay.map { 1000 / $0 }
            if let delay, let frames = options.frames {
                options.seconds = delay * Double(frames) / 1000
                options.frames = nil
            }
        } else {
            options.delay = delay ?? 100
        }
        options.width = try values.count(3) ?? 0
        options.height = try values.count(4) ?? 0
        return options
    }

    /// Step, columns, rows, width and height of tiles, and how they get that size; a step of 0 or less fills them all.
    ///
    /// What no tile fills is left away in any case.
    private static func tiles(_ values: Values) throws(WordError) -> SheetOptions {
        let step = try values.step(0)
        return SheetOptions(
            columns: try values.count(1) ?? 10, rows: try values.count(2),
            width: try values.count(3), height: try values.count(4),
            fitting: try values.fitting(from: 5), interval: step.flatMap { $0 > 0 ? $0 : nil })
    }

    /// A time, of which no media has more than some years.
    fileprivate static func seconds(
        _ text: String, isSigned: Bool = false
    ) throws(WordError) -> Double {
        let value = isSigned ? try anyNumber(text) : try number(text)
        guard abs(value) <= 1e8 else { throw WordError("it is a time in seconds", given: text) }
        return value
    }

    /// `1-2.5,4-5,-3-`: parts of a clip; below 0 a time counts from its end.
    private static func parts(_ text: String) throws(WordError) -> [Part] {
        var parts: [Part] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            // A minus in front is a sign, the next one is the mark.
            guard let mark = word.dropFirst().firstIndex(of: "-") else {
                throw WordError("parts are written as 1-2.5,4-5 or -3-", given: text)
            }
            let end = word[word.index(after: mark)...]
            parts.append(
                Part(
                    start: try seconds(String(word[..<mark]), isSigned: true),
                    end: end.isEmpty ? nil : try seconds(String(end), isSigned: true)))
        }
        return parts
    }
}

/// Arguments of which each may be empty or missing, which are numbers.
private struct Values {
    let list: [String]

    init(_ list: [String]) { self.list = list }

    private func text(_ number: Int) -> String? {
        number < list.count && !list[number].isEmpty ? list[number] : nil
    }

    func decoded(_ number: Int) -> String {
        let text = text(number) ?? ""
        return PercentEncoding.text(text) ?? text
    }

    /// A number above 0; nil for 0.
    func positive(_ number: Int) throws(WordError) -> Double? {
        guard let text = text(number) else { return nil }
        let value = try ServiceOptions.seconds(text)
        return value > 0 ? value : nil
    }

    /// A time that may be below 0; nil for 0.
    func step(_ number: Int) throws(WordError) -> Double? {
        guard let text = text(number) else { return nil }
        let value = try ServiceOptions.seconds(text, isSigned: true)
        return value == 0 ? nil : value
    }

    /// Whether pictures are extended, whether what is unused goes, whether they fill their size, and around which point.
    func fitting(from first: Int) throws(WordError) -> ServiceOptions.Fitting {
        func share(_ number: Int) throws(WordError) -> Double {
            guard let text = text(number) else { return 0.5 }
            let value = try ServiceOptions.number(text)
            guard value <= 1 else { throw WordError("a focus is 0 to 1", given: text) }
            return value
        }
        let (x, y) = (try share(first + 3), try share(first + 4))
        if text(first + 2)?.meansYes == true { return .filled(x: x, y: y) }
        return text(first)?.meansYes == true ? .extended : .within
    }

    /// A number of at least 1; nil for 0.
    func count(_ number: Int) throws(WordError) -> Int? {
        guard let text = text(number) else { return nil }
        let value = try ServiceOptions.count(text)
        guard value <= 65_535 else { throw WordError("it is at most 65535", given: text) }
        return value > 0 ? value : nil
    }
}
