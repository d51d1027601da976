internal import CFFmpeg
internal import LazyMedia

extension VideoCodec {
    /// The properties of a decoder's pictures.
    struct Traits {
        /// Width and height, or nil while unknown.
        var size: PixelSize?
        /// The pixel format's number, or -1 while unknown.
        var format: CInt = -1
        /// Width to height of a pixel; the numerator is 0 while unknown.
        var aspect = AVRational(num: 0, den: 1)
        /// Whether pictures may be presented in another order than they are coded in.
        var isReordering = false
        /// Whether the first packet has another size than the header.
        var isContradicted = false
        /// What the bitstream says about the samples.
        var color = ColorDescription()
        /// How the fields were recorded, or nil while unknown.
        var fieldOrder: FieldOrder?
        /// HDR metadata of the bitstream; nil where it was not read.
        var metadata: HDRMetadata?

        init(_ picture: Picture) {
            let frame = picture.pointer.pointee
            size = picture.size
            format = frame.format
            color = ColorDescription(
                frame.color_primaries, frame.color_trc, frame.colorspace, frame.color_range)
        }

        init(_ parameters: AVCodecParameters) {
            size = PixelSize(checking: Int(parameters.width), Int(parameters.height))
            format = parameters.format
            aspect = parameters.sample_aspect_ratio
            isReordering = parameters.video_delay > 0
            color = ColorDescription(
                parameters.color_primaries, parameters.color_trc, parameters.color_space,
                parameters.color_range)
            fieldOrder = FieldOrder(parameters.field_order)
        }

        init(_ context: UnsafeMutablePointer<AVCodecContext>?) {
            guard let context = context?.pointee else { return }
            size = PixelSize(checking: Int(context.width), Int(context.height))
            format = context.pix_fmt.rawValue
            aspect = context.sample_aspect_ratio
            isReordering = context.has_b_frames > 0
            color = ColorDescription(
                context.color_primaries, context.color_trc, context.colorspace,
                context.color_range)
            fieldOrder = FieldOrder(context.field_order)
        }
    }
}

extension FieldOrder {
    /// The order in which the fields are shown, or nil where it is unknown.
    ///
    /// The first letter counts in files, whatever FFmpeg's header says of interleaved fields: `ffmpeg`
    /// writes TB for the top field first, and so do Matroska's specification and cameras.
    init?(_ order: AVFieldOrder) {
        switch order {
        case AV_FIELD_PROGRESSIVE: self = .progressive
        case AV_FIELD_TT, AV_FIELD_TB: self = .topFirst
        case AV_FIELD_BB, AV_FIELD_BT: self = .bottomFirst
        default: return nil
        }
    }
}
