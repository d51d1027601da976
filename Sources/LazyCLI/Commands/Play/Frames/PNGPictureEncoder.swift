internal import LazyKit
package import LazyMedia

/// Lossless PNG, with a palette for few colors.
package final class PNGPictureEncoder: PictureEncoding {
    private let encoder: PNGPictures

    /// Makes an encoder; `isSmall` spends more time on a smaller file.
    package init(isSmall: Bool) throws(CommandFailure) {
        do throws(MediaError) {
            encoder = try PNGPictures(isSmall: isSmall)
        } catch {
            throw Self.failure(error)
        }
    }

    package func encode(
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
    package func encode(
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
