internal import CSandbox
internal import Glibc
internal import LazyBase
public import LazyMedia

/// Plays bytes as the messages of one side to the code of the other, for fuzzing.
///
/// The bytes are packets: each after its length in two bytes, little-endian.
@_spi(Testing)
public enum MessagePlayer {
    /// Bytes for `play(answers:)` to begin with.
    public static var sampleAnswers: [UInt8] {
        let timing = { (index: Int) in
            FrameTiming(
                index: index, presentation: .zero, duration: .zero, isKeyframe: true)
        }
        let frame = { (index: Int, slot: UInt8) in
            DecoderMessage.frame(
                FrameMessage(
                    generation: 0, slot: slot, layout: .pixels, isOpaque: true,
                    timing: timing(index), matrix: .bt601, isFullRange: false,
                    color: index == 0 ? .sRGB : nil, warnings: nil))
        }
        let offer = PictureOffer(
            size: PixelSize(width: 3, height: 2), isOpaque: true, layout: .pixels,
            timing: timing(0), color: .sRGB)
        return bytes(
            [
                .counted(
                    MediaCounts(
                        frameCount: 3, duration: .seconds(1), start: .zero, bitRate: nil,
                        warnings: [])),
                .done(generation: 0, nil),
            ]
                + (0..<4).map { frame($0, UInt8($0)) } + [
                    frame(4, 0), .times(generation: 0, timing(5), nil),
                    .times(generation: 0, timing(6), nil), frame(6, 1),
                    .end(generation: 0, nil), .done(generation: 1, nil), .picture(offer),
                    .done(generation: 0, nil), .index(FrameIndex([timing(0)])),
                    .sound(SoundFormat(codec: .aac, header: [1], sampleRate: 8000, channels: 1)),
                    .packet(SoundPacket(bytes: [1], start: 0, length: 1)),
                    .subtitles(
                        SubtitleTrack(
                            header: "a", lines: [.init(start: 0, duration: 1, text: "b")],
                            fonts: [.init(name: "c", bytes: [1])])),
                    .willRead(2..<99), .needsBytes(offset: 0, count: 6),
                ])
    }

    /// Bytes for `play(requests:media:type:formats:)` to begin with.
    public static var sampleRequests: [UInt8] {
        bytes([
            HostMessage.next(generation: 0, free: [], .ahead),
            .next(generation: 0, free: [0], .ahead), .willRead([2, 4]),
            .seekIndex(generation: 1, 2),
            .next(generation: 1, free: [1], .one),
            .next(generation: 1, free: [2], .timesFirst), .wantsPicture(false),
            .next(generation: 1, free: [], .timesFirst), .wantsPicture(true),
            .lastFrame(generation: 2, PixelSize(width: 4, height: 4)), .takePicture,
            .seekTime(generation: 3, .seconds(1)), .begin(.index(.exact)),
            .begin(.sound(.standard)),
            .nextPacket, .begin(.subtitles(.language("deu"))),
        ])
    }

    private static func bytes(_ messages: [some MessageField]) -> [UInt8] {
        messages.flatMap { message -> [UInt8] in
            var writer = MessageWriter()
            writer.put(message)
            let packet = [0] + writer.bytes
            return [UInt8(packet.count & 255), UInt8(packet.count >> 8 & 255)] + packet
        }
    }

    private static func packets(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var packets: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while let low = rest.popFirst(), let high = rest.popFirst() {
            let packet = rest.prefix(Int(low) | Int(high) << 8)
            packets.append(packet)
            rest = rest.dropFirst(packet.count)
        }
        return packets
    }

    private static func send(_ packets: [ArraySlice<UInt8>], by channel: Channel) {
        for packet in packets {
            let bytes = Array(packet)
            if sandbox_send(channel.descriptor, bytes, bytes.count, nil, 0) != 0 { return }
        }
    }

    /// Answers to a host that opens media, reads frames, seeks, and asks for everything else.
    public static func play(answers bytes: [UInt8]) {
        let packets = packets(bytes)
        guard let (control, other) = try? Channel.pair(), let (end, _) = try? Channel.pair(),
            let unused = try? Channel.pair().0,
            let source = try? MemoryBytes(Array("GIF89a".utf8))
        else { return }
        let server = DecoderServer(
            connection: dup(unused.descriptor), path: "nothing", .pictures)
        let process = DecoderProcess(
            channel: control, lease: FileDescriptor(dup(end.descriptor)), server: server)
        let limits = DecodingLimits(pixelsPerFrame: 1 << 16, memory: 1 << 24)
        let size = PixelSize(width: 16, height: 16)
        let host = DecoderHost(IsolationPolicy(answerTime: .milliseconds(50)))
        guard
            let media = try? IsolatedMedia(
                MediaSession(process, for: .gif, memoryLimit: 0),
                MediaInfo(type: .gif, codec: "gif", size: size), source, limits, host)
        else { return }
        control.limitSending(to: 1)
        // Each caller gets the packets from the beginning.
        try? DetachedThread.start {
            while let request = try? other.receive(atMost: 1 << 20, descriptors: 2) {
                guard let file = request.descriptors.first else { continue }
                let channel = Channel(dup(file.number))
                send(packets, by: channel)
                shutdown(channel.descriptor, CInt(SHUT_WR))
            }
        }
        use(media, limits)
        other.shutDown()
    }

    private static func use(_ media: IsolatedMedia, _ limits: DecodingLimits) {
        var options = ReaderOptions(limits: limits, planes: true)
        (options.color, options.samples) = (.source, .sixteen)
        for options in [ReaderOptions(limits: limits), options] {
            guard let reader = try? media.makeReader(options) else { continue }
            for _ in 0..<4 { if let frame = try? reader.nextFrame() { touch(frame) } }
            for _ in 0..<3 {
                if let next = try? reader.nextFrame(where: { $0.index > 5 }), let frame = next.frame
                {
                    touch(frame)
                }
            }
            try? reader.seek(toIndex: 1)
            if let frame = try? reader.nextFrame() { touch(frame) }
            let small = PixelSize(width: 3, height: 2)
            if let frame = try? reader.lastFrame(at: small) { touch(frame) }
        }
        let flag = CancellationFlag()
        _ = try? media.frameIndex(flag)
        _ = try? media.cheapFrameIndex(flag)
        _ = try? media.embeddedPoster(ReaderOptions(limits: limits))
        let reader = try? media.soundTrack(.standard, flag)?.makeReader(flag)
        for _ in 0..<3 { _ = try? reader?.next() }
        _ = try? media.subtitleTrack(.number(1), flag)
    }

    private static func touch(_ frame: Frame) {
        precondition(frame.bitmap.withBytes { $0.count } == frame.bitmap.byteCount)
        _ = frame.bitmap[0, 0]
        _ = frame.deep?[0, 0]
        _ = frame.planes?.withBytes { $0.last }
    }

    /// Requests to a decoder of some formats, whose media comes with the first one.
    public static func play(
        requests bytes: [UInt8], media: [UInt8], type: MediaType, formats: FormatRegistry
    ) {
        guard let (host, decoder) = try? Channel.pair(), let file = try? sealed(media) else {
            return
        }
        let source = SourceDescription(
            kind: .memory, count: media.count, isRemote: false, isPartial: false, type: type)
        let limits = DecodingLimits(pixelsPerFrame: 1 << 20, memory: 1 << 26)
        let packets = packets(bytes)
        host.limitSending(to: 1)
        try? DetachedThread.start {
            try? host.send(HostMessage.open(source, limits), with: [file.number])
            guard let (own, other) = try? Channel.pair(),
                let (_, memory) = try? SharedMemory.make(byteCount: 1 << 20)
            else { return host.shutDown() }
            // An operation on its own channel, then requests on both.
            let options = ReaderOptions(size: PixelSize(width: 16, height: 16), limits: limits)
            let layout = options.slotLayout(of: PixelSize(width: 16, height: 16))
            try? host.send(
                HostMessage.begin(.frames(options, slots: 4, slotBytes: layout.byteCount)),
                with: [other.descriptor, memory.number])
            send(packets, by: own)
            send(packets, by: host)
            shutdown(own.descriptor, CInt(SHUT_WR))
            shutdown(host.descriptor, CInt(SHUT_WR))
            while (try? own.receive(atMost: 1 << 24)) != nil {}
            while (try? host.receive(atMost: 1 << 24)) != nil {}
        }
        MediaService(decoder, formats).serve()
        decoder.shutDown()
    }

    private static func sealed(_ bytes: [UInt8]) throws(SystemError) -> FileDescriptor {
        try FileDescriptor(checking: sandbox_sealed_copy(bytes, bytes.count))
    }
}
