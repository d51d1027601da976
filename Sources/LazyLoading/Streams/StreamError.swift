/// Why a stream cannot be read, beside what loading throws.
package enum StreamError: Error {
    /// The playlist violates its format, or what it names is not what it says.
    case malformed(String)
    /// The playlist is well formed, and nothing here reads what it describes.
    case unsupported(String)
    /// The media is encrypted, and its key cannot be loaded.
    case encrypted(String)
    /// Reading the playlists takes more memory than allowed; so many bytes.
    case tooLarge(Int)
    /// Reading the playlists takes longer than allowed; so long.
    case tooSlow(Duration)
    /// A part of the stream cannot be loaded.
    case loading(LoadingError)

    /// One sentence.
    package var message: String {
        switch self {
        case .malformed(let message), .unsupported(let message), .encrypted(let message): message
        case .tooLarge(let bytes): "Reading the playlist needs \(bytes) bytes of memory."
        case .tooSlow: "Reading the playlist takes too long."
        case .loading(let error): error.message
        }
    }
}
