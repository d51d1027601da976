internal import CLCMS

/// The library for color profiles.
package enum ColorProfiles {
    /// Loads the library, which otherwise happens with the first profile; does nothing where it is missing.
    package static func loadLibrary() { _ = clcms_load() }
}
