internal import LazyBase
internal import LazyKit
internal import LazyMedia

extension OutputStream {
    /// Suppresses messages of C libraries on standard error for media of a type.
    ///
    /// libjxl prints errors of a file there, one line per function, and so does dav1d
    /// ("Unknown OBU type"), for which libavif sets no logger.
    static func silenceStderr(reading type: MediaType) {
        if FormatRegistry.standard.format(of: type)?.printsMessages == true { silenceStderr() }
    }
}
