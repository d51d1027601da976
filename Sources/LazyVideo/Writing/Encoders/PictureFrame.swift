internal import CFFmpeg
internal import LazyMedia

/// The input of an encoder; owns an `AVFrame` with its own planes.
final class PictureFrame {
    private let picture: Picture
    /// Width and height, both even.
    let size: PixelSize

    /// Allocates a frame with its planes.
    init(_ size: PixelSize, _ format: AVPixelFormat) throws(MediaError) {
        picture = try Picture()
        self.size = size
        pointer.pointee.width = CInt(size.width)
        pointer.pointee.height = CInt(size.height)
        pointer.pointee.format = format.rawValue
        try check(lz_frame_get_buffer(pointer), "make room for a picture")
    }

    /// FFmpeg's frame; valid as long as this object.
    var pointer: UnsafeMutablePointer<AVFrame> { picture.pointer }

    /// Makes the planes writable, in new memory where an encoder still reads them.
    func prepare() throws(MediaError) {
        try check(lz_frame_make_writable(pointer), "make room for a picture")
    }

    /// A plane and its stride; its rows are padded.
    func plane(_ number: Int) throws(MediaError) -> (UnsafeMutablePointer<UInt8>, stride: Int) {
        guard let bytes = lz_plane_bytes(pointer, CInt(number)) else {
            throw MediaError(.environment, "There is no memory for a picture.")
        }
        return (bytes, Int(lz_plane_stride(pointer, CInt(number))))
    }
}
