import LazyMedia
import LazyVideo
import Support
import Testing

/// Songs with covers in every way that they are stored: a red front cover of 64x48, and often a blue back before it.
@Suite(.needs("ffmpeg")) struct SongTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let type: MediaType
        let codec: String
        /// Makes the file.
        let make: @Sendable () -> [UInt8]
        /// The tags that this way of storing has.
        var tags = MediaTags(title: "Tune", artist: "Band", album: "Record")
        /// Whether the file tells its length, which is a second.
        var isTimed = true

        var testDescription: String { name }
    }

    static let rows = [
        Row(name: "MP3, ID3v2.2", type: .mp3, codec: "mp3") { ID3.tag(2) + Song.frames("mp3") },
        Row(name: "MP3, ID3v2.3", type: .mp3, codec: "mp3") { ID3.tag(3) + Song.frames("mp3") },
        Row(name: "MP3, ID3v2.3, unsynchronized", type: .mp3, codec: "mp3") {
            ID3.tag(3, isUnsynchronized: true) + Song.frames("mp3")
        },
        Row(name: "MP3, ID3v2.4", type: .mp3, codec: "mp3") { ID3.tag(4) + Song.frames("mp3") },
        Row(name: "MP3, ID3v2.4, unsynchronized", type: .mp3, codec: "mp3") {
            ID3.tag(4, isUnsynchronized: true) + Song.frames("mp3")
        },
        Row(name: "MP3, PNG that says BMP", type: .mp3, codec: "mp3") {
            ID3.tag(3, type: "image/bmp") + Song.frames("mp3")
        },
        Row(name: "MP3, PNG that says JPEG", type: .mp3, codec: "mp3") {
            ID3.tag(3, type: "image/jpeg") + Song.frames("mp3")
        },
        Row(name: "MP3, a front cover that is none", type: .mp3, codec: "mp3") {
            ID3.tag(3, pictures: [(3, Array("no picture".utf8)), (0, Song.red)])
                + Song.frames("mp3")
        },
        Row(name: "MP2", type: .mp3, codec: "mp2") { ID3.tag(3) + Song.frames("mp2") },
        Row(name: "AAC", type: .aac, codec: "aac") { ID3.tag(4) + Song.frames("adts") },
        Row(name: "FLAC", type: .flac, codec: "flac") { Song.file("flac", Song.mapped) },
        Row(name: "FLAC behind ID3", type: .flac, codec: "flac") {
            ID3.tag(3) + Song.file("flac", Song.mapped)
        },
        Row(name: "Vorbis", type: .oggAudio, codec: "vorbis") {
            Song.file("ogg", "-c:a libvorbis \(Song.block)")
        },
        Row(name: "Vorbis, an old comment", type: .oggAudio, codec: "vorbis") {
            Song.file("ogg", "-c:a libvorbis \(Song.oldComment)")
        },
        Row(name: "Opus, an old comment", type: .oggAudio, codec: "opus") {
            Song.file("opus", "-c:a libopus \(Song.oldComment)")
        },
        Row(name: "Opus", type: .oggAudio, codec: "opus") {
            Song.file("opus", "-c:a libopus \(Song.block)")
        },
        Row(name: "FLAC in Ogg", type: .oggAudio, codec: "flac") {
            Song.file("ogg", "-c:a flac \(Song.block)")
        },
        Row(name: "M4A", type: .m4a, codec: "aac") {
            Song.file("ipod", "\(Song.front) -c:a aac")
        },
        Row(name: "WMA", type: .wma, codec: "wmav2") {
            ASF.with(Song.red, in: Song.file("asf", "-c:a wmav2"))
        },
        Row(name: "AIFF", type: .aiff, codec: "pcm_s16be") {
            Song.file("aiff", Song.mapped + " -write_id3v2 1")
        },
        Row(name: "WAVE", type: .wav, codec: "pcm_s16le") {
            let tag = ID3.tag(3)
            var file = Song.file("wav", "-map_metadata -1") + Array("id3 ".utf8)
            file += little(tag.count) + tag + (tag.count % 2 == 1 ? [0] : [])
            file.replaceSubrange(4..<8, with: little(file.count - 8))
            return file
        },
        Row(name: "Monkey's Audio", type: .ape, codec: "ape", make: { APE.file }),
    ]

    @Test(arguments: rows) func `a song has its front cover and its words`(row: Row) throws {
        let bytes = try MemoryBytes(row.make())
        #expect(try videoType(bytes) == row.type)
        let song = try opened(bytes)
        #expect(song.info.isSong)
        #expect(song.info.type == row.type)
        #expect(song.info.codec == row.codec)
        #expect(song.info.tags == row.tags)
        #expect(song.info.size == PixelSize(width: 64, height: 48))
        let seconds = try #require(song.info.duration) / .seconds(1)
        #expect(abs(seconds - 1) < 0.1)
        let cover = try #require(try song.embeddedPoster(ReaderOptions()))
        #expect(cover.size == PixelSize(width: 64, height: 48))
        let pixel = cover[32, 24]
        #expect(pixel.x > 200 && pixel.y < 60 && pixel.z < 60)
        #expect(try song.frameIndex(CancellationFlag()).count == 0)
        let error = #expect(throws: MediaError.self) { try song.makeReader(ReaderOptions()) }
        #expect(error?.code == .coverOnly)
    }

    @Test(arguments: rows) func `a song that ends anywhere is refused or read`(row: Row) throws {
        let whole = row.make()
        for length in stride(from: 0, to: whole.count, by: max(1, whole.count / 23)) {
            do throws(MediaError) {
                let song = try opened(MemoryBytes(Array(whole.prefix(length))))
                _ = try song.embeddedPoster(ReaderOptions())
            } catch {
                #expect(error.code != .environment && !error.message.isEmpty)
            }
        }
    }

    @Test(arguments: [
        PosterChoice.auto, .first, .at(.seconds(9)), .percent(50), .index(-1), .embedded,
    ])
    func `whatever poster is asked for, it is the cover`(choice: PosterChoice) async throws {
        let song = FrameSequence(
            try opened(MemoryBytes(ID3.tag(3) + Song.frames("mp3"))), limits: .web)
        let poster = try await song.poster(choice, size: TargetSize(width: 32))
        #expect(poster.bitmap.size == PixelSize(width: 32, height: 24))
        #expect(poster.timing == nil)
    }

    /// How a song without a cover is written, and its type.
    @Test(arguments: [
        ("mp3", "-c:a libmp3lame", MediaType.mp3), ("mp2", "-c:a mp2", .mp3),
        ("adts", "-c:a aac", .aac), ("wav", "", .wav), ("w64 -f wav -rf64 always", "", .wav),
        ("ogg", "-c:a libvorbis", .oggAudio), ("opus", "-c:a libopus", .oggAudio),
        ("asf", "-c:a wmav2", .wma), ("ipod", "-c:a aac", .m4a), ("mp4", "-c:a aac", .m4a),
        ("matroska", "-c:a libopus", .matroskaAudio), ("wv", "-c:a wavpack", .wavPack),
        ("tta", "-c:a tta", .trueAudio), ("aiff", "", .aiff), ("flac", "", .flac),
    ]) func `a song without a cover says so`(
        format: String, arguments: String, type: MediaType
    ) throws {
        let song = try opened(MemoryBytes(Song.file(format, arguments)))
        #expect(song.info.type == type)
        #expect(song.info.isSong)
        #expect(abs(try #require(song.info.duration) / .seconds(1) - 1) < 0.1)
        let error = #expect(throws: MediaError.self) { try song.embeddedPoster(ReaderOptions()) }
        #expect(error?.code == .noCover)
        #expect(error?.message == "The song has no cover picture.")
        #expect(throws: MediaError.self) { try song.makeReader(ReaderOptions()) }
    }

    @Test func `a video track without a picture is none`() throws {
        // The table of a track that has no samples, where the film had eight.
        var film = Song.file(
            "mp4", "-f lavfi -i color=s=64x48:r=8:d=1 -map 0 -map 1 -c:a aac -c:v mpeg4 -bf 0")
        let song = try MemoryBytes(Movie.emptied(&film))
        let media = try opened(song)
        #expect(media.info.isSong)
        #expect(media.info.type == .m4a)
        let error = #expect(throws: MediaError.self) { try media.embeddedPoster(ReaderOptions()) }
        #expect(error?.code == .noCover)
    }

    @Test(arguments: ["mp4 -movflags frag_keyframe+empty_moov", "matroska"])
    func `a film that ends behind its header is no song`(format: String) throws {
        let film = Song.file(
            format, "-f lavfi -i color=s=64x48:r=8:d=1 -map 0 -map 1 -c:a aac -c:v mpeg4")
        let first = Array((format == "matroska" ? "\u{1F}C\u{B6}u" : "moof").unicodeScalars)
            .map { UInt8($0.value) }
        let end = try #require(film.indices.first { film[$0...].starts(with: first) })
        let error = #expect(throws: MediaError.self) {
            let media = try opened(MemoryBytes(Array(film[..<(end - 4)])))
            #expect(!media.info.isSong)
            _ = try media.makeReader(ReaderOptions()).nextFrame()
        }
        #expect(error?.code != .noCover && error?.code != .coverOnly)
    }

    @Test func `pictures in a file of songs' brand are a film`() throws {
        let film = try opened(
            MemoryBytes(
                Song.file(
                    "mp4",
                    "-f lavfi -i color=s=64x48:r=8:d=1 -map 0 -map 1 -c:a aac -c:v mpeg4 -brand 'M4A '"
                )))
        #expect(film.info.type == .mp4)
        #expect(!film.info.isSong)
        #expect(try film.frameIndex(CancellationFlag()).count == 8)
    }

    @Test func `a front cover of too many pixels is refused`() throws {
        let song = try MemoryBytes(ID3.tag(3) + Song.frames("mp3"))
        let error = #expect(throws: MediaError.self) {
            let media = try opened(song, limits: DecodingLimits(pixelsPerFrame: 64 * 48 - 1))
            _ = try media.embeddedPoster(
                ReaderOptions(limits: DecodingLimits(pixelsPerFrame: 64 * 48 - 1)))
        }
        #expect(error?.code == .limitExceeded)
    }
}

/// Sound and pictures that FFmpeg makes.
private enum Song {
    static let red = picture("red")
    static let blue = picture("blue")

    /// A second of a tone in a container, with words and what the arguments add.
    static func file(_ format: String, _ arguments: String) -> [UInt8] {
        let ffmpeg = "ffmpeg -nostdin -v error -y -f lavfi"
        let pictures = [("red", "64x48"), ("blue", "32x32")].map { name, size in
            "\(ffmpeg) -i color=\(name):s=\(size) -frames:v 1 -pix_fmt rgb24 $folder/\(name).png && "
        }
        let needed = arguments.contains("$folder") ? pictures.joined() : ""
        return Peer.output(
            of: "folder=$(mktemp -d) && \(needed)\(ffmpeg) -i sine=d=1 \(arguments) \(words) "
                + "-f \(format) $folder/song && cat $folder/song; rm -rf $folder")
    }

    /// The frames alone.
    static func frames(_ format: String) -> [UInt8] {
        file(
            format,
            "-map_metadata -1 -id3v2_version 0 -write_xing 0 -fflags bitexact".forFormat(format))
    }

    private static let words = "-metadata title=Tune -metadata artist=Band -metadata album=Record"

    /// The back and the front, as pictures of a file.
    static let mapped =
        "-i $folder/blue.png -i $folder/red.png -map 0 -map 1 -map 2 -c:v copy "
        + "-disposition:v attached_pic -metadata:s:v:0 comment='Cover (back)' "
        + "-metadata:s:v:1 comment='Cover (front)'"

    /// The front alone.
    static let front = "-i $folder/red.png -map 0 -map 1 -c:v copy -disposition:v attached_pic"

    /// The front as a field of Vorbis.
    static var block: String {
        let type = Array("image/png".utf8)
        let block =
            big(3) + big(type.count) + type + [UInt8](repeating: 0, count: 20) + big(red.count)
            + red
        return "-metadata METADATA_BLOCK_PICTURE=\(base64(block))"
    }

    /// The comments before there was such a block.
    static let oldComment =
        "-metadata COVERART=\(base64(red)) -metadata COVERARTMIME=image/png"

    private static func picture(_ color: String) -> [UInt8] {
        Peer.output(
            of: "ffmpeg -nostdin -v error -f lavfi -i color=\(color):s=64x48 -frames:v 1 "
                + "-pix_fmt rgb24 -c:v png -f image2pipe -")
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for place in 0..<4 {
                text.append(place <= part.count ? letters[bits >> (18 - 6 * place) & 63] : "=")
            }
        }
        return text
    }
}

extension String {
    /// The arguments that the muxer of a format knows.
    fileprivate func forFormat(_ format: String) -> String {
        format == "mp3" ? self : "-map_metadata -1"
    }
}

/// Tags of three versions of ID3.
private enum ID3 {
    static func tag(
        _ version: UInt8, isUnsynchronized: Bool = false, type name: String = "image/png",
        pictures: [(UInt8, [UInt8])] = [(4, Song.blue), (3, Song.red)]
    ) -> [UInt8] {
        let names = version == 2 ? ["TT2", "TP1", "TAL", "PIC"] : ["TIT2", "TPE1", "TALB", "APIC"]
        var frames = zip(names, ["Tune", "Band", "Record"]).map { name, text in
            (name, [0] + Array(text.utf8))
        }
        for (kind, picture) in pictures {
            let type = version == 2 ? Array("PNG".utf8) : Array(name.utf8) + [0]
            frames.append((names[3], [0] + type + [kind, 0] + picture))
        }
        var body = frames.flatMap { frame($0, $1, version, isUnsynchronized) }
        if isUnsynchronized, version == 3 { body = unsynchronized(body) }
        let flags: UInt8 = isUnsynchronized ? 0x80 : 0
        return Array("ID3".utf8) + [version, 0, flags] + syncsafe(body.count) + body
    }

    private static func frame(
        _ name: String, _ content: [UInt8], _ version: UInt8, _ isUnsynchronized: Bool
    ) -> [UInt8] {
        let name = Array(name.utf8)
        switch version {
        case 2: return name + big(content.count).dropFirst() + content
        case 3: return name + big(content.count) + [0, 0] + content
        default:
            guard isUnsynchronized else {
                return name + syncsafe(content.count) + [0, 0] + content
            }
            let whole = syncsafe(content.count) + unsynchronized(content)
            return name + syncsafe(whole.count) + [0, 3] + whole
        }
    }

    private static func unsynchronized(_ bytes: [UInt8]) -> [UInt8] {
        bytes.indices.flatMap { place -> [UInt8] in
            let next = place + 1 < bytes.count ? bytes[place + 1] : 0
            return bytes[place] == 0xFF && (next == 0 || next >= 0xE0)
                ? [0xFF, 0] : [bytes[place]]
        }
    }

    private static func syncsafe(_ value: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(value >> $0 & 127) }
    }
}

/// A file of Monkey's Audio, whose one frame of sound is none, with an APEv2 tag.
private enum APE {
    static var file: [UInt8] {
        let sound = [UInt8](repeating: 0, count: 4096)
        var bytes = Array("MAC ".utf8) + little(3990)
        bytes += little(52) + little(24) + little(4) + little(0) + little(sound.count)
        bytes += little(0) + little(0) + [UInt8](repeating: 0, count: 16)
        bytes += little(2000) + little(294_912) + little(44_100) + little(1)
        bytes += [16, 0, 2, 0] + little(44_100) + little(80) + sound
        let items = [
            item("Title", Array("Tune".utf8)), item("Artist", Array("Band".utf8)),
            item("Album", Array("Record".utf8)),
            item("Cover Art (Front)", Array("front.png".utf8) + [0] + Song.red, isBinary: true),
        ]
        let content = items.flatMap { $0 }
        return bytes + content + Array("APETAGEX".utf8) + little(2000)
            + little(content.count + 32) + little(items.count) + little(0)
            + [UInt8](repeating: 0, count: 8)
    }

    private static func item(
        _ name: String, _ value: [UInt8], isBinary: Bool = false
    ) -> [UInt8] {
        little(value.count) + little(isBinary ? 2 : 0) + Array(name.utf8) + [0] + value
    }
}

/// Pictures in ASF.
private enum ASF {
    /// A file with a front cover in its extended content description (ASF, 3.11), which the header ends with then.
    static func with(_ picture: [UInt8], in file: [UInt8]) -> [UInt8] {
        func wide(_ text: String) -> [UInt8] { (text + "\0").utf8.flatMap { [$0, 0] } }
        let name = wide("WM/Picture")
        let value = [3] + little(picture.count) + wide("image/png") + wide("") + picture
        let field =
            little(1)[..<2] + little(name.count)[..<2] + name + little(1)[..<2]
            + little(value.count)[..<2] + value
        let id: [UInt8] = [
            0x40, 0xA4, 0xD0, 0xD2, 0x07, 0xE3, 0xD2, 0x11,
            0x97, 0xF0, 0x00, 0xA0, 0xC9, 0x5E, 0xA8, 0x50,
        ]
        let object = id + little(24 + field.count) + little(0) + field
        var file = file
        let header = Int(file[16]) | Int(file[17]) << 8
        file.insert(contentsOf: object, at: header)
        file.replaceSubrange(16..<20, with: little(header + object.count))
        file[24] += 1
        return file
    }
}

/// Changes of an MP4's tables.
private enum Movie {
    /// The same file with no sample in the track of pictures, which is the second one.
    static func emptied(_ file: inout [UInt8]) -> [UInt8] {
        let start = file.place(of: "vmhd")
        for (name, offset) in [("stts", 8), ("stsc", 8), ("stsz", 12), ("stco", 8)] {
            let table = file.place(of: name, from: start)
            file.replaceSubrange(table + offset..<table + offset + 4, with: big(0))
        }
        return file
    }
}

extension [UInt8] {
    fileprivate func place(of name: String, from start: Int = 0) -> Int {
        let letters = Array(name.utf8)
        return (start..<count - 3).first { self[$0..<$0 + 4].elementsEqual(letters) } ?? 0
    }
}

private func big(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
}

private func little(_ value: Int) -> [UInt8] { big(value).reversed() }
