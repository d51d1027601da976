internal import LazyBase

extension FolderSearch {
    /// Reports the number of skipped files.
    func tell(_ input: Input, _ report: ReportStyle) {
        guard leftCount > 0, !report.quiet else { return }
        if report.json {
            let left = JSONValue.object([
                ("input", .name(input.label)), ("left", .integer(leftCount)),
            ])
            return Console.say(left.line)
        }
        let files =
            leftCount == 1
            ? "1 file is not media and was skipped"
            : "\(leftCount) files are not media and were skipped"
        Console.say("lazyimg: \(input.label.shown): \(files).")
    }

    /// The failure for a folder without media.
    func nothing(_ input: Input) -> CommandFailure {
        CommandFailure(.noInput, "missing", "There is no media in \(input.label).").about(
            input.label)
    }
}

extension [Input] {
    /// Whether it is one input that was named directly: its output may be a file.
    var isSingle: Bool { count == 1 && self[0].subfolder == nil }
}
