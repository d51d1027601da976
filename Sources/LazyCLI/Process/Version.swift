/// The version of lazyimg, as `--version` prints it.
enum Version {
    static let number = "0.1.0"
    static let line = "lazyimg \(number)\n"
}
