internal import LazyBase

/// Outputs of files in folders that exist already and are not known to be made of them: no fault, since they may be
/// those of an earlier journal, or pictures of the user.
struct ForeignOutputs {
    private var names: [String] = []

    init(_ names: [String] = []) { self.names = names }

    /// Adds an output.
    mutating func add(_ name: String) { names.append(name) }

    /// Says in one line which stay.
    func tell(_ style: ReportStyle) {
        guard let first = names.first, !style.quiet, !style.json else { return }
        let others = names.count - 1
        let (files, outputs) =
            others == 0
            ? ("1 file was skipped", "its output exists and is not known to the journal")
            : (
                "\(names.count) files were skipped",
                "their outputs exist and are not known to the journal"
            )
        let more = others == 0 ? "" : " and \(others) more"
        Console.say(
            "lazyimg: \(files), since \(outputs): \(first.shown)\(more). Name the journal of earlier runs with --journal, accept what exists with --skip-existing, or replace it with --force."
        )
    }
}
