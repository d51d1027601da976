internal import LazyBase
internal import LazyMedia

/// One INPUT of the command line.
struct Input: Sendable {
    /// As given by the user; a data: URL is shortened.
    let label: String
    let address: InputAddress
    /// Its position on the command line, from 1.
    let number: Int
    /// The subfolder of a named folder in which it was found; nil if it was named directly.
    var subfolder: String?
    /// The inputs that are shown one after the other, if it stands for several.
    private(set) var parts: [Input] = []
    /// An output, which is no picture of its folder.
    var leftOut: String?

    /// Parses all INPUT arguments; folders are not searched.
    static func parse(_ texts: [String]) throws(CommandFailure) -> [Input] {
        var inputs: [Input] = []
        for text in texts {
            let address = try InputAddress(text)
            if address == .standardInput, inputs.contains(where: { $0.address == address }) {
                throw .usage("Standard input can be read only once.")
            }
            inputs.append(Input(text, address, number: inputs.count + 1))
        }
        return inputs
    }

    /// Makes an input of several, which has the address of the first.
    init(first: Input, parts: [Input]) {
        let others = parts.count - 1
        label = others == 0 ? first.label : "\(first.label) and \(others) more"
        address = first.address
        number = 1
        self.parts = parts
    }

    private init(_ text: String, _ address: InputAddress, number: Int) {
        label =
            switch address {
            case .data: String(text.prefix(40)) + "…"
            case .standardInput: "standard input"
            case .path, .remote: text
            }
        self.address = address
        self.number = number
    }

    /// Makes an input of a file found in a folder.
    init(_ file: FolderSearch.File, number: Int) {
        self.init(file.path, .path(file.path), number: number)
        subfolder = file.subfolder
    }

    /// The same input at another position.
    init(_ other: Input, number: Int) {
        (label, address, subfolder) = (other.label, other.address, other.subfolder)
        self.number = number
    }

    /// Whether it is a file, of which only the needed parts are read.
    var isFile: Bool { if case .path = address { true } else { false } }

    /// The failure for an error of this input's media.
    func failure(_ error: MediaError) -> CommandFailure {
        CommandFailure(error, about: label)
    }
}
