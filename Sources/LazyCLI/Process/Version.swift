/// The version of lazyimg, as `--version` prints it.
package enum Version {
    package static let number = "0.1.0"
    package static let line = "lazyimg \(number)\n"
}
