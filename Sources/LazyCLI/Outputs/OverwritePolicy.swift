/// What to do if an output exists.
enum OverwritePolicy: String, CaseIterable, Sendable {
    case never, always
}
