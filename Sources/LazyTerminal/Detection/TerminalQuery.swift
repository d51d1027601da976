internal import FoundationEssentials

/// The questions to a terminal, in one batch that ends with one that every terminal answers.
struct TerminalQuery {
    /// The names of an object in shared memory and of a file, both with one RGB pixel.
    var memory: String?
    var file: String?
    /// Whether only the terminal around tmux is asked, about kitty's protocol.
    var isForTmux = false

    /// The numbers of pictures in the questions about kitty's protocol.
    static let numbers = (direct: 31, memory: 32, file: 33)

    /// The bytes to write.
    var text: String {
        let direct = Self.kitty(Self.numbers.direct, "d", "AAAA")
        let shared = memory.map { Self.kitty(Self.numbers.memory, "s", Self.base64($0)) } ?? ""
        let filed = file.map { Self.kitty(Self.numbers.file, "t", Self.base64($0)) } ?? ""
        // The last answer is that to `direct`: terminals answer in order.
        if isForTmux {
            return [shared, filed, direct].map(Passthrough.wrapped).joined()
        }
        // The cell and the text area in pixels, the name, the device attributes.
        return direct + shared + filed + "\u{1B}[16t\u{1B}[14t\u{1B}[>0q\u{1B}[c"
    }

    /// Asks for the number of colors of sixel pictures.
    static let colors = "\u{1B}[?1;1;0S\u{1B}[c"

    private static func base64(_ text: String) -> String {
        Data(text.utf8).base64EncodedString()
    }

    private static func kitty(_ number: Int, _ medium: String, _ data: String) -> String {
        guard !data.isEmpty else { return "" }
        return "\u{1B}_Gi=\(number),s=1,v=1,a=q,t=\(medium),f=24;\(data)\u{1B}\\"
    }
}
