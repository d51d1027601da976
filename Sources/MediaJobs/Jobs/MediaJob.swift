package import CommandSupport
package import LazyFiles
package import LazyMedia

/// What a command does to one input, so that `batch` and several inputs can do it too.
///
/// A value made of the command's options once they are checked.
package protocol MediaJob: Sendable {
    /// The word on the command line, such as `poster`.
    static var name: String { get }

    /// Where the outputs go, as `-o` says it; `batch` sets it for each input.
    var output: String? { get set }

    /// The options that decide what is made, in one canonical line; equal lines make equal files.
    ///
    /// Without inputs, outputs and what only concerns reports.
    var key: String { get }

    /// The files that one input is made into, the first being the main one; decodes nothing.
    ///
    /// `isAlone` says that it is the only input, whose output may be a plain file.
    func outputs(for input: Input, isAlone: Bool) throws(CommandFailure) -> [String]

    /// Makes them: each whole or not at all.
    ///
    /// Calls `progress` with the share that is done, 0 to 1, as it grows. Ends soon when its task is
    /// cancelled. Several inputs are worked on side by side: one that is not alone does not need
    /// more than one thread.
    func run(
        _ input: Input, isAlone: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> JobReport
}

/// What a job made of one input.
package struct JobReport: Sendable {
    /// The files made, the main one first; `-` for standard output.
    package var outputs: [String]
    /// Bytes written.
    package var byteCount: Int
    /// Frames written.
    package var frameCount: Int
    /// What `--json` prints for this input.
    package var json: JSONValue
    /// What is said on standard error without `--json` and `--quiet`; empty for nothing.
    package var text: String
    /// Oddities of the input.
    package var warnings: [MediaWarning]
    /// What was asked for, such as `--explain`: printed on standard output without `--json`.
    package var answer = ""
}
