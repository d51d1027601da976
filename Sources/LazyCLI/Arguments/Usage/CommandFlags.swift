internal import ArgumentParser
internal import LazyBase

/// The names of the options of a command or a group of options, read from its parser.
struct CommandFlags {
    /// Options with a value, with their dashes.
    private(set) var valued: Set<String> = []
    /// Options without a value, with their dashes.
    private(set) var plain: Set<String> = ["--help", "-h", "--help-hidden", "--version"]

    /// Reads the names.
    init(of type: any ParsableArguments.Type) {
        let text = type._dumpHelp()
        for argument in JSONText.value(text, as: Description.self)?.command.arguments ?? [] {
            let names = (argument.names ?? []).map { name in
                (name.kind == "long" ? "--" : "-") + name.name
            }
            switch argument.kind {
            case "option": valued.formUnion(names)
            case "flag": plain.formUnion(names)
            default: break
            }
        }
    }

    /// The long names, sorted.
    var long: [String] { valued.union(plain).filter { $0.hasPrefix("--") }.sorted() }

    // The part of the parser's description that is read.
    private struct Description: Decodable {
        struct Command: Decodable { let arguments: [Argument]? }
        struct Argument: Decodable {
            let kind: String
            let names: [Name]?
        }
        struct Name: Decodable {
            let kind: String
            let name: String
        }
        let command: Command
    }
}
