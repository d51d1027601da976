internal import FoundationEssentials
import Glibc
internal import LazyBase
internal import LazyMedia
internal import LazyPipeline

/// Lists of URLs: arguments, files and standard input.
enum AddressList {
    /// All URLs that the arguments name, each once, in order, and the invalid lines of lists.
    static func items(
        _ arguments: [String], isNullSeparated: Bool
    ) throws(CommandFailure) -> (items: [FetchItem], faults: [CommandFailure]) {
        var items: [FetchItem] = []
        var faults: [CommandFailure] = []
        for argument in arguments {
            if RemoteAddress.isMeant(argument) {
                items.append(try FetchItem(argument))
                continue
            }
            let name = argument == "-" ? "standard input" : argument
            let bytes = try bytes(argument)
            for entry in try entries(in: bytes, of: name, isNullSeparated: isNullSeparated) {
                do throws(CommandFailure) {
                    items.append(try FetchItem(entry.text))
                } catch {
                    var fault = error
                    fault.input = "\(name):\(entry.number)"
                    faults.append(fault)
                }
            }
        }
        var seen: Set<String> = []
        return (items.filter { seen.insert($0.url.absoluteString).inserted }, faults)
    }

    /// The entries of a list with their line numbers, without comments and empty lines.
    static func entries(
        in bytes: [UInt8], of list: String, isNullSeparated: Bool
    ) throws(CommandFailure) -> [(number: Int, text: String)] {
        guard var text = String(validating: bytes, as: UTF8.self)?[...] else {
            throw CommandFailure(.badData, "malformed", "The list \(list) is not UTF-8.")
        }
        // Some editors write a byte order mark.
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        let lines = text.split(omittingEmptySubsequences: false) { character in
            isNullSeparated ? character == "\0" : character.isNewline
        }
        return lines.enumerated().map { ($0 + 1, String($1).trimmed) }.filter {
            !$0.1.isEmpty && (isNullSeparated || !$0.1.hasPrefix("#"))
        }
    }

    /// The bytes of a list; `-` is standard input.
    static func bytes(_ list: String) throws(CommandFailure) -> [UInt8] {
        let isStandardInput = list == "-"
        if isStandardInput, isatty(STDIN_FILENO) == 1 {
            throw .usage(
                "Standard input is a terminal.", hint: "Pipe a list to it.")
        }
        if !isStandardInput, FileKind(list) == .folder {
            var failure = CommandFailure(.noInput, "missing", "\(list) is a folder, not a list.")
            failure.input = list
            throw failure
        }
        do throws(MediaError) {
            let limits = DecodingLimits.web
            if isStandardInput {
                return try all(of: MemoryBytes(reading: STDIN_FILENO, limits: limits))
            }
            return try all(of: FileBytes(name: list.systemPath, label: list))
        } catch {
            throw CommandFailure(error, about: isStandardInput ? "standard input" : list)
        }
    }

    private static func all(of source: any ByteSource) throws(MediaError) -> [UInt8] {
        try source.contiguous().withBytes { Array($0) }
    }
}
