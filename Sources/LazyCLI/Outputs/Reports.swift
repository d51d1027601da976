internal import LazyBase
internal import LazyMedia

/// The JSON that the commands print; its keys are a stable contract.
enum Reports {
    /// How often it plays: null means that the file has no number, or forever.
    static func loop(_ loop: LoopCount) -> JSONValue {
        .object([("raw", .integer(loop.raw)), ("plays", .integer(loop.plays))])
    }
}
