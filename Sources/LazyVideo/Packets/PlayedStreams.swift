internal import CFFmpeg
internal import LazyMedia

extension StreamInfo.Kind {
    /// What a stream carries.
    init(_ stream: UnsafeMutablePointer<AVStream>) {
        switch stream.pointee.codecpar.pointee.codec_type {
        case AVMEDIA_TYPE_VIDEO:
            self =
                stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
                ? .attachedPicture : .video
        case AVMEDIA_TYPE_AUDIO: self = .audio
        case AVMEDIA_TYPE_SUBTITLE: self = .subtitle
        default: self = .data
        }
    }
}

extension Demuxer {
    /// The streams that are shown or heard.
    var played: [UnsafeMutablePointer<AVStream>] {
        streams.filter { [.video, .audio].contains(StreamInfo.Kind($0)) }
    }

    /// The sound: the stream that is played by default, else the first one.
    var sound: UnsafeMutablePointer<AVStream>? {
        let streams = streams.filter { StreamInfo.Kind($0) == .audio }
        return streams.first { $0.pointee.disposition & AV_DISPOSITION_DEFAULT != 0 }
            ?? streams.first
    }

    /// The stream with the most pixels, the first among equals; nil only of none.
    static func largest(
        _ streams: [UnsafeMutablePointer<AVStream>]
    ) -> UnsafeMutablePointer<AVStream>? {
        var best: UnsafeMutablePointer<AVStream>?
        for stream in streams where best.map({ area(stream) > area($0) }) ?? true { best = stream }
        return best
    }

    /// The pixels of a picture.
    static func area(_ stream: UnsafeMutablePointer<AVStream>) -> Int64 {
        let parameters = stream.pointee.codecpar.pointee
        return Int64(max(0, parameters.width)) * Int64(max(0, parameters.height))
    }
}
