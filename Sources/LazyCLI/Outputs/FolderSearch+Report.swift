internal import LazyBase
internal import LazyPipeline

extension FolderSearch {
    /// Reports the number of skipped files.
    func tell(_ input: Input, _ report: ReportStyle) {
        guard left.count > 0, !report.quiet else { return }
        if report.json {
            let left = JSONValue.object([
                ("input", .name(input.label)), ("left", .integer(left.count)),
            ])
            return Console.say(left.line)
        }
        let files = left.sentence("is not media", "are not media")
        Console.say("lazyimg: \(input.label.shown): \(files)")
    }

    /// Reports the files without an output where that is no fault: they have its name, or are
    /// pictures beside a film of their name.
    static func tell(left: SkippedFiles, _ report: ReportStyle) {
        tell(
            left, "has the name of its output, or of a film's,",
            "have the names of their outputs, or of a film's,", report)
    }

    /// Reports the files that an output cannot be made of, though nothing is wrong with them.
    static func tell(nothing files: SkippedFiles, _ report: ReportStyle) {
        tell(files, "has no pictures for this", "have no pictures for this", report)
    }

    private static func tell(
        _ files: SkippedFiles, _ one: String, _ many: String, _ report: ReportStyle
    ) {
        guard files.count > 0, !report.quiet, !report.json else { return }
        Console.say("lazyimg: " + files.sentence(one, many))
    }

    /// Whether there is no media at all; what a filter left out is no mistake.
    ///
    /// Nor is it where results of files that are gone shall be removed, unless the folder is as empty as that
    /// of a drive that is missing.
    func isEmpty(prunes: Bool = false) -> Bool {
        files.isEmpty && filteredCount == 0 && !(prunes && left.count > 0)
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
