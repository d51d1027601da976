internal import LazyMedia

extension OutputTarget {
    /// Writes the output as its bytes come; it appears, complete, when the work has succeeded.
    ///
    /// `failure` describes an error of the work; one of the output describes itself.
    func write<Result>(
        _ policy: OverwritePolicy, isHeldBack: Bool = false,
        failure: (MediaError) -> CommandFailure,
        _ work: (OutputFile) async throws(MediaError) -> Result
    ) async throws(CommandFailure) -> Result {
        let file = try OutputFile(self, isHeldBack: isHeldBack)
        let result: Result
        do throws(MediaError) {
            result = try await work(file)
        } catch {
            throw file.failure ?? failure(error)
        }
        try file.keep(policy)
        return result
    }
}
