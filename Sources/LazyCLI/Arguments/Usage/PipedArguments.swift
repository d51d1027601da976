internal import ArgumentParser
import Glibc

/// The arguments of `poster` in a pipe, where neither input nor output need be named.
enum PipedArguments {
    /// The same arguments with `-` for standard input, and for standard output where no other is named; nil where an
    /// input is named or nothing is piped.
    static func completed(
        _ arguments: [String], after failure: @autoclosure () -> CommandFailure
    ) -> [String]? {
        guard let command = arguments.first, isPoster(command), isPiped(STDIN_FILENO),
            failure().message.hasPrefix("Missing expected argument '<input>")
        else { return nil }
        let isPlaced = arguments.contains { word in
            ["--output", "--name", "--xdg-thumbnail"].contains {
                word == $0 || word.hasPrefix($0 + "=")
            } || word.hasPrefix("-o")
        }
        let output = isPlaced || isatty(STDOUT_FILENO) == 1 ? [] : ["-o", "-"]
        return arguments + output + ["-"]
    }

    private static func isPoster(_ command: String) -> Bool {
        let configuration = PosterCommand.configuration
        return command == configuration.commandName || configuration.aliases.contains(command)
    }

    /// Whether something is sent: not from a terminal, and not from `/dev/null`.
    private static func isPiped(_ descriptor: CInt) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return [S_IFIFO, S_IFREG, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }
}
