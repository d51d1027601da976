internal import ArgumentParser
import Glibc

/// The arguments of a command in a pipe, where neither input nor output need be named.
enum PipedArguments {
    /// The same arguments with `-` for standard input, and for standard output where no other is named; nil where an
    /// input is named or nothing is piped.
    static func completed(
        _ arguments: [String], after failure: @autoclosure () -> CommandFailure
    ) -> [String]? {
        guard let command = arguments.first.flatMap(command), isPiped(STDIN_FILENO),
            failure().message.hasPrefix("Missing expected argument '<input>")
        else { return nil }
        // Without a change loops are printed.
        let changes = arguments.contains { word in
            ["--loop", "--set", "--delay", "--speed"].contains { word.hasPrefix($0) }
        }
        let isPlaced = arguments.contains { word in
            ["--output", "--name", "--xdg-thumbnail", "--layout", "--in-place"].contains {
                word == $0 || word.hasPrefix($0 + "=")
            } || word.hasPrefix("-o")
        }
        let writes = command is any JobCommand.Type && (command != LoopCommand.self || changes)
        let output = isPlaced || !writes || isatty(STDOUT_FILENO) == 1 ? [] : ["-o", "-"]
        return arguments + output + ["-"]
    }

    /// The command of a name that reads one medium.
    private static func command(_ word: String) -> (any ParsableCommand.Type)? {
        let commands: [any ParsableCommand.Type] =
            BatchJobs.commands + [InfoCommand.self, PlayCommand.self]
        return commands.first { $0.names.contains(word) }
    }

    /// Whether something is sent: not from a terminal, and not from `/dev/null`.
    private static func isPiped(_ descriptor: CInt) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return [S_IFIFO, S_IFREG, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }
}
