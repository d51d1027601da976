internal import LazyFiles

/// The words this process was started with, none of whose bytes is lost.
package enum ProcessArguments {
    /// All words behind the program's name, as `FileName` texts.
    ///
    /// `CommandLine.arguments` repairs what is not UTF-8 and so would name another file.
    package static var words: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { place in
            CommandLine.unsafeArgv[place].map { FileName.text($0) }
        }
    }
}
