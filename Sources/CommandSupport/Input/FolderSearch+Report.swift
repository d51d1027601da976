internal import LazyFiles

extension FolderSearch {
    /// Says how many files are no media.
    package func tell(_ input: Input, _ report: ReportStyle) {
        guard leftCount > 0, !report.quiet else { return }
        if report.json {
            let left = JSONValue.object([
                ("input", .name(input.label)), ("left", .integer(leftCount)),
            ])
            return Console.say(left.line)
        }
        let files =
            leftCount == 1
            ? "1 file is no media and is left" : "\(leftCount) files are no media and are left"
        Console.say("lazyimg: \(input.label.shown): \(files).")
    }

    /// Said of a folder without media.
    package func nothing(_ input: Input) -> CommandFailure {
        CommandFailure(.noInput, "missing", "There is no media in \(input.label).").about(
            input.label)
    }
}

extension [Input] {
    /// Whether it is one input that was named itself: its output may be a plain file.
    package var isSingle: Bool { count == 1 && self[0].subfolder == nil }
}
