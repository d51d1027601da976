internal import LazyKit
internal import LazyMedia

/// Lossless PNG, with a palette for few colors.
final class PNGPictureEncoder: PictureEncoding {
    private let encoder: PNGPictures

    /// Makes an encoder; `isSmall` spends more time on a smaller file.
    init(isSmall: Bool) throws(CommandFailure) {
        do throws(MediaError) {
            encoder = try PNGPictures(isSmall: isSmall)
        } catch {
            throw Self.failure(error)
        }
    }

    func encode(
        _ bitmap: Bitmap, _ color: ColorDescription,
        _ use: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        let outcome: Result<Void, CommandFailure>
        do throws(MediaError) {
            outcome = try encoder.encode(bitmap, color: color) { bytes in
                Result { () throws(CommandFailure) in try use(bytes) }
            }
        } catch {
            throw Self.failure(error)
        }
        try outcome.get()
    }

    /// Encodes with 16 bits a sample.
    func encode(
        deep bitmap: DeepBitmap, _ color: ColorDescription,
        _ use: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        let outcome: Result<Void, CommandFailure>
        do throws(MediaError) {
            outcome = try encoder.encode(deep: bitmap, color: color) { bytes in
                Result { () throws(CommandFailure) in try use(bytes) }
            }
        } catch {
            throw Self.failure(error)
        }
        try outcome.get()
    }

    private static func failure(_ error: MediaError) -> CommandFailure {
        CommandFailure(.inputOutput, error.code.rawValue, error.message)
    }
}
