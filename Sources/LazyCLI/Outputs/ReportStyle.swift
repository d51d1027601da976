/// What a command prints about its work.
package struct ReportStyle: Sendable {
    /// Results and errors are JSON.
    package var json = false
    /// Without progress, summaries and warnings.
    package var quiet = false

    package init(json: Bool = false, quiet: Bool = false) {
        self.json = json
        self.quiet = quiet
    }
}
