internal import ArgumentParser
internal import LazyBase

/// The names of the options of a command or a group of options, read from its parser.
struct CommandFlags {
    /// Options with a value, with their dashes.
    private(set) var valued: Set<String> = []
    /// Options without a value, with their dashes.
    private(set) var plain: Set<String> = ["--help", "-h", "--help-hidden", "--version"]
    /// Whether inputs are named without an option.
    private(set) var takesInputs = false
    /// The long names of options that help shows, in its order.
    private(set) var all: [String] = []
    private var texts: [String: String] = [:]

    /// Reads the names.
    init(of type: any ParsableArguments.Type) {
        let text = type._dumpHelp()
        for argument in JSONText.value(text, as: Description.self)?.command.arguments ?? [] {
            let names = (argument.names ?? []).map { name in
                (name.kind == "long" ? "--" : "-") + name.name
            }
            if let long = names.first(where: { $0.hasPrefix("--") }),
                argument.shouldDisplay != false
            {
                let value = argument.kind == "option" ? " <\(argument.valueName ?? "value")>" : ""
                all.append(long)
                let shorts = names.filter { !$0.hasPrefix("--") }.prefix(1)
                texts[long] = (shorts + [long]).joined(separator: ", ") + value
            }
            switch argument.kind {
            case "positional": takesInputs = true
            case "option": valued.formUnion(names)
            case "flag": plain.formUnion(names)
            default: break
            }
        }
    }

    /// The long names, sorted.
    var long: [String] { valued.union(plain).filter { $0.hasPrefix("--") }.sorted() }

    /// How help writes an option: `-o, --output <file>`; nil for one that the command does not have.
    func names(of long: String) -> String? { texts[long] }

    // The part of the parser's description that is read.
    private struct Description: Decodable {
        struct Command: Decodable { let arguments: [Argument]? }
        struct Argument: Decodable {
            let kind: String
            let names: [Name]?
            let valueName: String?
            let shouldDisplay: Bool?
        }
        struct Name: Decodable {
            let kind: String
            let name: String
        }
        let command: Command
    }
}
