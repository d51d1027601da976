internal import CFFmpeg
internal import LazyMedia

/// One decoded picture in its own pixel format; owns an `AVFrame`.
final class Picture {
    /// FFmpeg's frame; valid as long as this object.
    let pointer: UnsafeMutablePointer<AVFrame>
    /// The memory of its planes, where it is not the decoder's.
    var memory: PictureMemory?
    /// When it is shown, in ticks of its stream.
    var ticks: Int64 = 0

    /// Makes an empty picture.
    init() throws(MediaError) {
        guard let pointer = lz_frame_alloc() else {
            throw MediaError(.environment, "There is no memory for a picture.")
        }
        self.pointer = pointer
        LiveHandles.didOpen()
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVFrame>? = pointer
        lz_frame_free(&pointer)
        LiveHandles.didClose()
    }

    /// FFmpeg's estimate of the presentation time in ticks, or nil.
    var pts: Int64? {
        let best = pointer.pointee.best_effort_timestamp
        return best == LZ_NOPTS ? nil : best
    }
    /// The duration in ticks from its packet, 0 where unknown.
    var duration: Int64 { max(0, lz_frame_duration(pointer)) }
    /// Whether decoding can begin with its packet.
    var isKey = false
    /// Whether the decoder reports it as coded without references.
    var isCodedAlone: Bool { lz_frame_is_key(pointer) != 0 }
    /// Whether it consists of two fields, recorded one after the other.
    var isInterlaced: Bool { lz_frame_is_interlaced(pointer) != 0 }
    /// Whether parts of it were concealed because its data is damaged.
    var isDamaged: Bool {
        pointer.pointee.decode_error_flags != 0
            || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }
    /// The coded size, or nil where it is invalid.
    var size: PixelSize? {
        PixelSize(checking: Int(pointer.pointee.width), Int(pointer.pointee.height))
    }
}
