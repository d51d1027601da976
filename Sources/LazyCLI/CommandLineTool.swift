internal import ArgumentParser
import Glibc
internal import LazyBase
internal import LazyKit
internal import LazyPipeline

/// The entry point of the executable.
public enum CommandLineTool {
    /// Becomes the process that decodes for another one, where it was started for that.
    ///
    /// Comes first: such a process may not have had threads.
    public static func decodeIfAsked() {
        if DecoderProgram.isRequested { DecoderProgram.run() }
        DecoderHost.decodesItself()
    }

    /// Runs the command of the arguments and exits with a documented code.
    ///
    /// The thread runs the command's tasks, with others if there are more: that saves the start of Swift's executor
    /// and two threads. An asynchronous `main` would end it instead, for which the C library loads another one;
    /// nothing here belongs to the main actor, which has no thread then.
    public static func main() -> Never {
        let arguments = ProcessArguments.words
        guard DescriptorBudget.prepare() else {
            exit(CommandFailure.fewDescriptors.report(asJSON: ReportOptions.wantsJSON(arguments)))
        }
        Interruption.install()
        // Pictures are allocated on one thread and freed on another; without this every thread's arena
        // keeps the memory of the pictures it freed. libwebp asks for 1 MB for each lossless picture.
        SystemCalls.mapBlocks(from: (1 << 20) + (64 << 10))
        do {
            var command = try LazyImg.command(arguments)
            guard let asynchronous = command as? any AsyncParsableCommand else {
                try command.run()
                exit(ExitStatus.success.number)
            }
            // Nothing else has it.
            nonisolated(unsafe) let parsed = asynchronous
            BlockingPool.command.workForever { await run(parsed, arguments) }
        } catch {
            exit(end(error, arguments))
        }
    }

    private static func run(
        _ command: sending any AsyncParsableCommand, _ arguments: [String]
    ) async -> Never {
        do {
            var command = command
            try await command.run()
            exit(ExitStatus.success.number)
        } catch {
            exit(end(error, arguments))
        }
    }

    private static func end(_ error: any Error, _ arguments: [String]) -> CInt {
        if !(error is CommandFailure), error is ExitCode || LazyImg.exitCode(for: error) == .success
        {
            return answer(error, arguments)
        }
        let failure = error as? CommandFailure ?? LazyImg.failure(error, arguments)
        return failure.report(asJSON: ReportOptions.wantsJSON(arguments))
    }

    // Help, versions and completion scripts are answers, not faults.
    private static func answer(_ error: any Error, _ arguments: [String]) -> CInt {
        do throws(CommandFailure) {
            let message = LazyImg.fullMessage(for: error)
            let text =
                ShortHelp.isAsked(arguments, message)
                ? ShortHelp(of: CommandPath(arguments, from: LazyImg.self)).text
                : HelpOrder.arranged(BatchCompletion.added(to: message))
            if !text.isEmpty { try Console.print(text + "\n") }
            return LazyImg.exitCode(for: error).rawValue
        } catch {
            return error.report(asJSON: ReportOptions.wantsJSON(arguments))
        }
    }
}
