internal import CFontconfig
internal import Glibc
internal import LazyBase
internal import LazyMedia

/// The fonts of the system, and which of them libass would take.
///
/// They are passed to libass as bytes, which draws without files and asks fontconfig nothing itself.
struct SystemFonts: ~Copyable {
    private let system: OpaquePointer

    /// The most fonts for one script.
    private static let maxFonts = 32
    /// The most bytes of them; one for Chinese has some 20 MB.
    private static let maxBytes = 64 << 20
    /// Where libass looks for what the wanted family has not.
    private static let standard = "sans-serif"

    /// Throws `.environment` where fontconfig is missing.
    init() throws(MediaError) {
        guard cfontconfig_load() == 0 else {
            throw MediaError(.environment, String(cString: cfontconfig_load_message()))
        }
        guard let system = cfontconfig_open() else {
            throw MediaError(.environment, "The fonts of the system cannot be found.")
        }
        self.system = system
    }

    deinit { cfontconfig_close(system) }

    /// A font, and the families for which it is taken.
    private struct Choice {
        let number: Int32
        var families: [String]
    }

    /// The fonts for a script, each under the names by which the script asks for it.
    ///
    /// Throws `.environment` where one of them cannot be read: others would draw other text.
    func fonts(for use: FontUse) throws(MediaError) -> [SubtitleTrack.Font] {
        var choices: [Choice] = []
        for (weight, slant) in Self.styles(use) {
            for family in use.families + [Self.standard] {
                guard let number = font(family, weight, slant) else { continue }
                add(number, family, &choices)
            }
        }
        addFallbacks(use, &choices)
        var left = Self.maxBytes
        var fonts: [SubtitleTrack.Font] = []
        for choice in choices.prefix(Self.maxFonts) {
            guard let font = try read(choice, atMost: left) else { continue }
            left -= font.bytes.count
            fonts.append(font)
        }
        return fonts
    }

    /// Weights and slants, the plain one first.
    private static func styles(_ use: FontUse) -> [(Int32, Int32)] {
        let weights: [Int32] = use.hasBold ? [400, 700] : [400]
        let slants: [Int32] = use.hasItalic ? [0, 110] : [0]
        return slants.flatMap { slant in weights.map { ($0, slant) } }
    }

    private func add(_ number: Int32, _ family: String, _ choices: inout [Choice]) {
        if let known = choices.firstIndex(where: { $0.number == number }) {
            if !choices[known].families.contains(family) { choices[known].families.append(family) }
        } else {
            choices.append(Choice(number: number, families: [family]))
        }
    }

    /// Adds fonts for the characters that those of some family and the standard one lack.
    private func addFallbacks(_ use: FontUse, _ choices: inout [Choice]) {
        for character in use.characters.sorted() where character > 0x20 {
            guard choices.count < Self.maxFonts else { return }
            let having = choices.filter { cfontconfig_has(system, $0.number, character) != 0 }
            let families = Set(having.flatMap(\.families))
            let isCovered =
                families.contains(Self.standard) || use.families.allSatisfy(families.contains)
            guard !isCovered, let family = cfontconfig_fallback(system, character),
                let number = font(String(cString: family), 400, 0, character)
            else { continue }
            add(number, Self.standard, &choices)
        }
    }

    // MARK: - Matching

    /// The font of a family, or of the first one in its place that is here.
    private func font(
        _ family: String, _ weight: Int32, _ slant: Int32, _ character: UInt32? = nil
    ) -> Int32? {
        var index: Int32 = 0
        while index < 100, let name = cfontconfig_substitute(system, family, index) {
            let name = String(cString: name)
            if let number = best(name, weight, slant, character) { return number }
            index += 1
        }
        return nil
    }

    private func best(
        _ name: String, _ weight: Int32, _ slant: Int32, _ character: UInt32?
    ) -> Int32? {
        var best: (number: Int32, score: Int32)?
        for number in 0..<cfontconfig_count(system) {
            var font = cfontconfig_font()
            guard hasName(number, CFONTCONFIG_FAMILY, name) || hasFullName(number, name),
                cfontconfig_describe(system, number, &font) == 0,
                character.map({ cfontconfig_has(system, number, $0) != 0 }) ?? true
            else { continue }
            let score =
                abs(Self.weight(font.weight) - weight) + abs(font.slant - slant)
                + abs(font.width - 100)
            if score < best?.score ?? .max { best = (number, score) }
        }
        return best?.number
    }

    private func hasFullName(_ number: Int32, _ name: String) -> Bool {
        hasName(number, CFONTCONFIG_FULL_NAME, name)
            || hasName(number, CFONTCONFIG_POSTSCRIPT_NAME, name)
    }

    private func hasName(_ number: Int32, _ kind: cfontconfig_name, _ name: String) -> Bool {
        var index: Int32 = 0
        while let other = cfontconfig_name_of(system, number, kind, index) {
            if String(cString: other).lowercased() == name.lowercased() { return true }
            index += 1
        }
        return false
    }

    /// The classes of weights that libass makes of fontconfig's scale.
    private static func weight(_ weight: Int32) -> Int32 {
        weight <= 50 ? 300 : weight <= 100 ? 400 : 700
    }

    // MARK: - Bytes

    private func read(
        _ choice: Choice, atMost most: Int
    ) throws(MediaError) -> SubtitleTrack.Font? {
        var font = cfontconfig_font()
        guard cfontconfig_describe(system, choice.number, &font) == 0, let path = font.path,
            let file = try file(String(cString: path)), file.count <= most
        else { return nil }
        let bytes = try file.contiguous().withBytes { [UInt8]($0) }
        guard
            let named = FontNames.renamed(bytes, index: Int(font.index), choice.families)
        else { return nil }
        return SubtitleTrack.Font(name: choice.families[0], bytes: named)
    }

    /// A font's file, or nil where it is gone: fontconfig keeps a list.
    private func file(_ path: String) throws(MediaError) -> FileBytes? {
        do throws(MediaError) { return try FileBytes(path: path) } catch {
            if (error.underlying as? SystemError)?.code == ENOENT { return nil }
            throw error
        }
    }
}
