internal import LazyBase
internal import LazyEditing
internal import LazyLoading
internal import LazyMedia
internal import LazyRenditions

extension ServiceOptions {
    /// Sets what an option says, by the name that forms have for it.
    ///
    /// Throws 404 for a wrong argument, with the option's name.
    mutating func set(_ name: String, _ list: [String]) throws(ServiceError) {
        do throws(WordError) {
            if try placement.set(name, list) { return }
            if try setPicture(name, list) { return }
            if try setOutput(name, list) { return }
            if try setMoving(name, list) { return }
            if try setAnswer(name, list) { return }
            setBounds(name, list)
        } catch {
            throw ServiceError(404, "In the option \(name), \(error).")
        }
    }

    // MARK: - Pictures

    private mutating func setPicture(_ name: String, _ list: [String]) throws(WordError) -> Bool {
        switch name {
        case "ar": autoRotates = list[0].meansYes
        case "rot":
            guard let degrees = Int(list[0]), degrees % 90 == 0 else {
                throw WordError("it is a multiple of 90", given: list[0])
            }
            rotation = (degrees % 360 + 360) % 360
        case "fl":
            if !list[0].isEmpty { isMirrored = list[0].meansYes }
            if list.count > 1, !list[1].isEmpty { isFlipped = list[1].meansYes }
        case "t": edges = list[0].isEmpty ? nil : try Words.edges.parse(list.joined(separator: ":"))
        case "wm": watermark = try Self.watermark(list)
        default: return false
        }
        return true
    }

    private static func watermark(_ list: [String]) throws(WordError) -> Watermark? {
        let opacity = try number(list[0])
        guard opacity <= 1 else { throw WordError("an opacity is 0 to 1", given: list[0]) }
        var mark = Watermark(opacity: opacity)
        if list.count > 1, !list[1].isEmpty {
            if list[1] == "re" {
                mark.isRepeated = true
                if list.count > 2, !list[2].isEmpty { mark.anchor.x = try anyNumber(list[2]) }
                if list.count > 3, !list[3].isEmpty { mark.anchor.y = try anyNumber(list[3]) }
            } else {
                // As an extension's place: neither a smart one nor a point.
                var place = Placement()
                _ = try place.set("ex", ["1"] + list[1..<min(4, list.count)])
                guard let anchor = place.extends, list[1] != "fp" else {
                    throw WordError("a watermark has no such place", given: list[1])
                }
                mark.anchor = anchor
            }
        }
        if list.count > 4, !list[4].isEmpty { mark.scale = try number(list[4]) }
        return opacity > 0 ? mark : nil
    }

    // MARK: - The result

    private mutating func setOutput(_ name: String, _ list: [String]) throws(WordError) -> Bool {
        switch name {
        case "q": quality = try Self.quality(list[0])
        case "fq":
            guard list.count % 2 == 0 else {
                throw WordError("formats and qualities are pairs", given: list.last ?? "")
            }
            for place in stride(from: 0, to: list.count, by: 2) {
                formatQuality[try Self.format(list[place])] = try Self.quality(list[place + 1])
            }
        case "mb": maxBytes = try Self.count(list[0])
        case "f": format = try Self.format(list[0])
        case "skp": for word in list { skipped.insert(try Self.format(word)) }
        case "raw": isRaw = list[0].meansYes
        default: return false
        }
        return true
    }

    private mutating func setAnswer(_ name: String, _ list: [String]) throws(WordError) -> Bool {
        switch name {
        case "cb": cacheBuster = list[0]
        case "exp":
            guard let seconds = Int(list[0]) else {
                throw WordError("it is a number of seconds since 1970", given: list[0])
            }
            expiry = seconds
        case "fn":
            fileName = list[0]
            if list.count > 1, list[1].meansYes {
                guard let bytes = Base64.decode(Array(list[0].utf8)),
                    let text = String(validating: bytes, as: UTF8.self)
                else { throw WordError("it is base64 of UTF-8", given: list[0]) }
                fileName = text
            }
        case "att": isAttachment = list[0].meansYes
        case "msr": bounds.megapixels = try Self.number(list[0])
        case "msfs": bounds.byteCount = try Self.anyCount(list[0])
        case "maf":
            bounds.frames = try Self.anyCount(list[0])
            guard bounds.frames ?? 0 > 0 else { throw WordError("it is above 0", given: list[0]) }
        case "mafr": bounds.frameMegapixels = try Self.number(list[0])
        default: return false
        }
        return true
    }

    private func setBounds(_ name: String, _ list: [String]) {
        // What is left has nothing to do.
        assert(OptionForms.idle.contains(name), name)
    }

    // MARK: - Values

    private static func format(_ word: String) throws(WordError) -> ServiceFormat {
        guard let format = ServiceFormat(ending: word) else {
            throw WordError(
                "the formats are \(ServiceFormat.allCases.map(\.ending).joined(separator: ", "))",
                given: word)
        }
        return format
    }

    private static func quality(_ text: String) throws(WordError) -> Int {
        guard let value = Int(text), (0...100).contains(value) else {
            throw WordError("a quality is 0 to 100", given: text)
        }
        return value
    }

    static func anyNumber(_ text: String) throws(WordError) -> Double {
        guard let value = Double(text), value.isFinite, abs(value) < 0x1p40 else {
            throw WordError("it is a number", given: text)
        }
        return value
    }

    static func number(_ text: String) throws(WordError) -> Double {
        let value = try anyNumber(text)
        guard value >= 0 else { throw WordError("it is 0 or more", given: text) }
        return value
    }

    /// A number of bytes or frames; beyond what any file has, all are one number.
    private static func anyCount(_ text: String) throws(WordError) -> Int {
        guard let value = Int(text) else { throw WordError("it is a whole number", given: text) }
        return min(max(value, -1 << 40), 1 << 40)
    }

    static func count(_ text: String) throws(WordError) -> Int {
        let value = try anyCount(text)
        guard value >= 0 else { throw WordError("it is 0 or more", given: text) }
        return value
    }
}
