internal import LazyKit

/// Whether media is decoded in locked processes of its own.
package enum ViewerIsolation: String, CaseIterable, Sendable {
    /// It is: files in a folder to look at may come from anybody.
    case auto
    /// It is.
    case always
    /// It is not.
    case never

    /// The decoders of the window.
    var decoders: DecoderRegistry {
        self == .never ? .standard : .standard.isolated(by: DecoderHost(Self.policy))
    }

    // A grid plays many animations at once; each has a process while it is on the screen.
    private static let policy = IsolationPolicy(.pooled(2), maximumProcesses: 64)
}
