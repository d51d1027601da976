internal import FoundationEssentials
import Glibc
internal import LazyMedia

/// Lists of addresses: arguments, files and standard input.
enum AddressList {
    /// All addresses that the arguments name, each once, in order.
    static func items(
        _ arguments: [String], isNullSeparated: Bool
    ) throws(CommandFailure) -> [FetchItem] {
        var items: [FetchItem] = []
        var seen: Set<String> = []
        for argument in arguments {
            if RemoteAddress.isMeant(argument) {
                items.append(try FetchItem(argument))
            } else {
                let bytes = try bytes(argument)
                for text in try texts(in: bytes, of: argument, isNullSeparated: isNullSeparated) {
                    items.append(try FetchItem(text))
                }
            }
        }
        return items.filter { seen.insert($0.url.absoluteString).inserted }
    }

    /// The entries of a list, without comments and empty lines.
    static func texts(
        in bytes: [UInt8], of list: String, isNullSeparated: Bool
    ) throws(CommandFailure) -> [String] {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.badData, "malformed", "The list \(list) is not UTF-8.")
        }
        if isNullSeparated { return text.split(separator: "\0").map(String.init) }
        return text.split(whereSeparator: \.isNewline).map { String($0).trimmed }.filter {
            !$0.isEmpty && !$0.hasPrefix("#")
        }
    }

    private static func bytes(_ list: String) throws(CommandFailure) -> [UInt8] {
        let isStandardInput = list == "-"
        if isStandardInput, isatty(STDIN_FILENO) == 1 {
            throw .usage(
                "Standard input is a terminal.", hint: "Pipe a list of addresses into it.")
        }
        do throws(MediaError) {
            let limits = DecodingLimits.web
            if isStandardInput {
                return try all(of: MemoryBytes(reading: STDIN_FILENO, limits: limits))
            }
            return try all(of: FileBytes(path: list))
        } catch {
            throw CommandFailure(error, about: isStandardInput ? "standard input" : list)
        }
    }

    private static func all(of source: any ByteSource) throws(MediaError) -> [UInt8] {
        try source.contiguous().withBytes { Array($0) }
    }
}
