/// What to do if an output exists.
package enum OverwritePolicy: String, CaseIterable, Sendable {
    case never, always
}
