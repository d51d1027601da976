internal import LazyBase

/// The arguments of this process, with all their bytes.
enum ProcessArguments {
    /// All arguments after the program's name, as `FileName` texts.
    ///
    /// `CommandLine.arguments` repairs invalid UTF-8, which would name another file.
    static var words: [String] {
        SystemCalls.words.dropFirst().map { FileName.text($0) }
    }
}
