/// What to do where an output exists.
package enum OverwritePolicy: String, CaseIterable, Sendable {
    case never, always
}
