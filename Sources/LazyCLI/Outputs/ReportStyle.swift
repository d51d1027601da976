/// What a command prints about its work.
struct ReportStyle: Sendable {
    /// Results and errors are JSON.
    var json = false
    /// Without progress, summaries and warnings.
    var quiet = false
}
