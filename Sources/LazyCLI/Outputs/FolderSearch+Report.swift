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

    /// Reports the number of files without an output where that is no fault: they have its name, or are
    /// pictures beside a film of their name.
    static func tell(leftCount: Int, _ report: ReportStyle) {
        tell(
            leftCount, "has the name of its output, or of a film's,",
            "have the names of their outputs, or of a film's,", report)
    }

    /// Reports the files that an output cannot be made of, though nothing is wrong with them.
    static func tell(nothing inputs: [Input], _ report: ReportStyle) {
        tell(inputs.count, "has no pictures for this", "have no pictures for this", report)
    }

    private static func tell(_ count: Int, _ one: String, _ many: String, _ report: ReportStyle) {
        guard count > 0, !report.quiet, !report.json else { return }
        let files = count == 1 ? "1 file \(one) and was" : "\(count) files \(many) and were"
        Console.say("lazyimg: \(files) skipped.")
    }

    /// Whether there is no media at all; what a filter left out is no mistake.
    ///
    /// Nor is it where results of files that are gone shall be removed, unless the folder is as empty as that
    /// of a drive that is missing.
    func isEmpty(prunes: Bool = false) -> Bool {
        files.isEmpty && filteredCount == 0 && !(prunes && leftCount > 0)
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
