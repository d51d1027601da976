package import LazyFiles
internal import LazyKit
package import LazyMedia

extension OutputStream {
    /// Keeps C libraries from writing to standard error once media of a type is read.
    ///
    /// libjxl prints what is wrong with a file there, a line for each of its functions, and dav1d
    /// ("Unknown OBU type"), which libavif gives no logger.
    package static func silenceStderr(reading type: MediaType) {
        if FormatRegistry.standard.format(of: type)?.printsMessages == true { silenceStderr() }
    }
}
