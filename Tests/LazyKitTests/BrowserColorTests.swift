import BrowserSupport
import Foundation
import LazyBase
import LazyKit
import Support
import Testing

/// Pictures in other colors than sRGB, as a browser draws them on an sRGB canvas.
@Suite(
    .ownThreads, .serialized, .enabled(if: Browser.isInstalled, "Chromium is not installed"),
    .needs("ffmpeg", "webpmux", "avifenc", "convert"))
struct `A browser shows the same colors` {
    @Test func `in stills of all formats`() async throws {
        let folder = Scratch()
        let files = try Self.files(in: folder.path)
        let theirs = try await BlockingPool.shared.run {
            Result { try Self.drawn(files) }
        }.get()
        for (file, pixels) in zip(files, theirs) {
            let sequence = try FrameSequence(
                opening: try MemoryBytes(file.bytes), registry: .standard)
            let bitmap = try await sequence.frame(0).bitmap
            #expect(bitmap.byteCount == pixels.count, "\(file.name)")
            let (mean, worst) = Self.difference(bitmap, pixels)
            // CMYK profiles are lookup tables, which no two libraries interpolate alike.
            #expect(mean <= 0.5, "\(file.name): \(mean) steps on average, \(worst) at most")
        }
    }

    @Test func `in pictures that keep the colors of their source`() async throws {
        let folder = Scratch()
        let sources = try Self.files(in: folder.path).filter { $0.name != "cmyk.jpg" }
        var (kept, originals): ([Browser.File], [Int]) = ([], [])
        for (place, source) in sources.enumerated() {
            let clip = try FrameSequence(
                opening: try MemoryBytes(source.bytes), registry: .standard)
            for (type, ending) in [
                (MediaType.png, "png"), (.avif, "avif"), (.jpeg, "jpg"), (.webp, "webp"),
            ] {
                var rendition = Rendition.poster(.first, as: type)
                rendition.reading.color = .source
                // Chroma of less resolution is scaled up by each program in its own way.
                if type == .jpeg { rendition.output.encoding.quality = 100 }
                if [.avif, .webp].contains(type) { rendition.output.encoding.lossless = true }
                let frames = clip.rendered(color: .source, samples: .sixteen)
                do throws(MediaError) {
                    let (bytes, _) = try await rendition.data(of: frames)
                    kept.append(
                        .init("\(place).\(ending)", type: "image/\(ending)", bytes))
                    originals.append(place)
                } catch {
                    guard error.code == .notWritable else { throw error }
                    // A profile of curves describes no HDR, and one for gray no RGB.
                    #expect([.jpeg, .webp].contains(type), "\(source.name) \(error)")
                    let isGray = source.name.hasPrefix("gray-icc") && type == .webp
                    #expect(clip.info.color.isHDR || isGray, "\(source.name) \(error)")
                }
            }
        }
        #expect(kept.count > sources.count * 3)
        let (files, wanted) = (kept, sources)
        let theirs = try await BlockingPool.shared.run {
            Result { (try Self.drawn(wanted), try Self.drawn(files)) }
        }.get()
        for (place, (file, pixels)) in zip(originals, zip(kept, theirs.1)) {
            let bitmap = try Bitmap(
                size: PixelSize(width: 160, height: 96), isOpaque: true
            ) { output in output.copyBytes(from: theirs.0[place]) }
            let (mean, worst) = Self.difference(bitmap, pixels)
            #expect(
                mean <= 1.5,
                "\(sources[place].name) as \(file.name): \(mean) on average, \(worst) at most")
            // Ours are those of the file, too.
            let ours = try FrameSequence(opening: try MemoryBytes(file.bytes), registry: .standard)
            let (own, most) = Self.difference(try await ours.frame(0).bitmap, pixels)
            #expect(own <= 0.6, "\(file.name): \(own) on average, \(most) at most")
        }
    }

    /// Lossless sequences it shows with too much contrast (`FormatTraits.misreadsLossless`).
    @Test(arguments: ["hdr10.mp4", "hdr10.webm"])
    func `in an HDR film as AVIF`(name: String) async throws {
        let film = try FrameSequence(opening: Media.bytes(name), registry: .standard)
        var rendition = Rendition.conversion(to: .avifSequence)
        rendition.reading.color = .source
        rendition.output.encoding.quality = 95
        let (bytes, _) = try await rendition.data(
            of: film.rendered(color: .source, samples: .sixteen))
        let file = Browser.File("film.avif", type: "image/avif", bytes)
        let theirs = try await BlockingPool.shared.run { Result { try Self.drawn([file]) } }.get()
        let (mean, worst) = Self.difference(try await film.frame(0).bitmap, theirs[0])
        #expect(mean <= 4, "\(mean) on average, \(worst) at most")
        // Of the same pictures ours are those of the browser.
        let made = try FrameSequence(opening: MemoryBytes(bytes), registry: .standard)
        let (own, most) = Self.difference(try await made.frame(0).bitmap, theirs[0])
        #expect(own <= 2, "\(own) on average, \(most) at most")
    }

    /// The mean and the largest difference of a channel, in steps of 8 bits.
    private static func difference(_ bitmap: Bitmap, _ pixels: [UInt8]) -> (Double, Int) {
        var (sum, worst) = (0, 0)
        bitmap.withBytes { ours in
            for (a, b) in zip(ours, pixels) {
                let difference = abs(Int(a) - Int(b))
                sum += difference
                worst = max(worst, difference)
            }
        }
        return (Double(sum) / Double(max(1, pixels.count)), worst)
    }

    /// RGBA of each file on a canvas.
    private static func drawn(_ files: [Browser.File]) throws -> [[UInt8]] {
        let browser = try Browser(files: files)
        return try files.map { file in
            let answer = try browser.evaluate(
                """
                new Promise((done, failed) => {
                  const image = new Image();
                  image.onerror = () => failed(Error('refused'));
                  image.onload = () => {
                    const canvas = document.createElement('canvas');
                    canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
                    const context = canvas.getContext('2d', {colorSpace: 'srgb'});
                    context.drawImage(image, 0, 0);
                    const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
                    let text = '';
                    for (let k = 0; k < data.length; k += 32768)
                      text += String.fromCharCode(...data.subarray(k, k + 32768));
                    done(btoa(text));
                  };
                  image.src = '/\(file.name)';
                })
                """)
            let text = try #require(answer as? String, "\(file.name)")
            return Array(try #require(Data(base64Encoded: text)))
        }
    }

    // MARK: - Files

    /// Files made by other programs, with chunks, segments and profiles put in.
    private static func files(in folder: String) throws -> [Browser.File] {
        func make(_ command: String, _ output: String) throws -> [UInt8] {
            _ = Peer.output(of: "cd '\(folder)' && \(command) 2>&1 </dev/null")
            let path = URL(filePath: folder).appending(path: output)
            return Array(try Data(contentsOf: path))
        }
        let picture = "ffmpeg -v error -y -f lavfi -i testsrc2=size=160x96 -frames:v 1"
        let shallow = try make("\(picture) -pix_fmt rgb24 a.png", "a.png")
        let deep = try make("\(picture) -pix_fmt rgb48be b.png", "b.png")
        let gray = try make("\(picture) -pix_fmt gray c.png", "c.png")
        let jpeg = try make("\(picture) -q:v 2 d.jpg", "d.jpg")
        let grayJPEG = try make("convert c.png -colorspace Gray -quality 95 h.jpg", "h.jpg")
        let inks = try make("convert a.png -colorspace CMYK -quality 95 e.jpg", "e.jpg")
        let wide = Self.adobe
        try Data(wide).write(to: URL(filePath: folder).appending(path: "wide.icc"))
        let webp = try make(
            "convert a.png -define webp:lossless=true f.webp && webpmux -set icc wide.icc f.webp -o g.webp",
            "g.webp")
        var files = [
            png("p3.png", shallow, "cICP", [12, 13, 0, 1]),
            png("2020.png", deep, "cICP", [9, 1, 0, 1]),
            png("pq.png", deep, "cICP", [9, 16, 0, 1]),
            png("hlg.png", deep, "cICP", [9, 18, 0, 1]),
            png("pq-p3.png", deep, "cICP", [12, 16, 0, 1]),
            png("709.png", shallow, "cICP", [1, 1, 0, 1]),
            png("narrow.png", shallow, "cICP", [9, 16, 0, 0]),
            png("linear.png", deep, "gAMA", big(100_000)),
            png("dark.png", shallow, "gAMA", big(30_000)),
            png("icc.png", shallow, "iCCP", Array("wide\0\0".utf8) + stored(wide)),
            png("gray-icc.png", gray, "iCCP", Array("gray\0\0".utf8) + stored(grayProfile)),
            Browser.File("gray-icc.jpg", type: "image/jpeg", segment(grayJPEG, grayProfile)),
            png("gray.png", gray, "gAMA", big(30_000)), png("ignored.png", gray, "sRGB", [0]),
            Browser.File("icc.webp", type: "image/webp", webp),
            Browser.File("cmyk.jpg", type: "image/jpeg", inks),
            Browser.File("icc.jpg", type: "image/jpeg", segment(jpeg, wide)),
        ]
        for (name, codes) in [
            ("avif-p3", "12/13/6"), ("avif-pq", "9/16/9"), ("avif-hlg", "9/18/9"),
        ] {
            let bytes = try make(
                "avifenc -s 10 -d 10 -y 444 -r full --cicp \(codes) b.png \(name).avif",
                "\(name).avif")
            files.append(Browser.File("\(name).avif", type: "image/avif", bytes))
        }
        return files
    }

    /// A PNG with a chunk put behind its header, and without those that it had of the kind.
    private static func png(
        _ name: String, _ bytes: [UInt8], _ kind: String, _ data: [UInt8]
    ) -> Browser.File {
        var out = Array(bytes[..<33])
        let body = Array(kind.utf8) + data
        out += big(data.count) + body + big(Int(crc(body)))
        var offset = 33
        while offset + 12 <= bytes.count {
            let count = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            let other = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
            if ["IDAT", "IEND", "PLTE"].contains(other) {
                out += bytes[offset..<offset + 12 + count]
            }
            offset += 12 + count
        }
        return Browser.File(name, type: "image/png", out)
    }

    /// A JPEG with a profile put behind its first marker.
    private static func segment(_ jpeg: [UInt8], _ profile: [UInt8]) -> [UInt8] {
        let body = Array("ICC_PROFILE\0".utf8) + [1, 1] + profile
        let length = body.count + 2
        return jpeg[..<2] + [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)] + body
            + jpeg[2...]
    }

    /// A profile of Adobe RGB's primaries and a power of 2.2.
    private static var adobe: [UInt8] {
        func xyz(_ numbers: [Int]) -> [UInt8] { Array("XYZ ".utf8) + big(0) + numbers.flatMap(big) }
        let curve = Array("curv".utf8) + big(0) + big(1) + [2, 0x33, 0, 0]
        let tags: [(String, [UInt8])] = [
            ("rXYZ", xyz([39960, 20389, 1276])), ("gXYZ", xyz([13453, 41004, 3989])),
            ("bXYZ", xyz([9777, 4143, 48796])), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
            ("wtpt", xyz([63190, 65536, 54061])),
        ]
        return profile("RGB ", tags)
    }

    /// A profile for gray of a power of 1.5.
    private static var grayProfile: [UInt8] {
        let white = Array("XYZ ".utf8) + big(0) + [63190, 65536, 54061].flatMap(big)
        let curve = Array("curv".utf8) + big(0) + big(1) + [1, 0x80, 0, 0]
        return profile("GRAY", [("kTRC", curve), ("wtpt", white)])
    }

    private static func profile(_ space: String, _ tags: [(String, [UInt8])]) -> [UInt8] {
        var head = [UInt8](repeating: 0, count: 128)
        head.replaceSubrange(8..<10, with: [2, 0x10])
        head.replaceSubrange(12..<24, with: Array("mntr\(space)XYZ ".utf8))
        head.replaceSubrange(36..<40, with: Array("acsp".utf8))
        head.replaceSubrange(68..<80, with: [63190, 65536, 54061].flatMap(big))
        var offset = 132 + tags.count * 12
        var table = big(tags.count)
        for tag in tags {
            table += Array(tag.0.utf8) + big(offset) + big(tag.1.count)
            offset += tag.1.count
        }
        var bytes = head + table + tags.flatMap(\.1)
        bytes.replaceSubrange(0..<4, with: big(bytes.count))
        return bytes
    }

    private static func big(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { crc, _ in
                crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1
            }
        }
    }

    /// A zlib stream of one stored block.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        let sizes = [count, ~count].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        var (a, b) = (1, 0)
        for byte in bytes {
            a = (a + Int(byte)) % 65521
            b = (b + a) % 65521
        }
        return [0x78, 0x01, 1] + sizes + bytes + big(b << 16 | a)
    }
}
