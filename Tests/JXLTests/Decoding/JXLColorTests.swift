import Glibc
import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite(.ownThreads) struct JXLColorTests {
    /// A row of pixels as JPEG XL; samples have 16 bits.
    private func encoded(
        _ pixels: [SIMD3<Int>], _ space: String, _ options: String
    ) throws -> any OpenedMedia {
        let scratch = Scratch()
        // Blocks of 8 × 8, so that lossy coding keeps each color.
        var ppm = Array("P6 \(pixels.count * 8) 8 65535\n".utf8)
        for _ in 0..<8 {
            for pixel in pixels {
                for _ in 0..<8 {
                    for channel in 0..<3 {
                        ppm += [UInt8(pixel[channel] >> 8), UInt8(pixel[channel] & 255)]
                    }
                }
            }
        }
        let input = scratch.write(ppm, "a.ppm")
        let hint = space.isEmpty ? "" : "-x color_space=\(space)"
        _ = Peer.output(of: "cjxl \(hint) \(options) \(input) \(scratch.path("a.jxl")) 2>/dev/null")
        return try Decoded.media(scratch["a.jxl"])
    }

    private func colors(_ media: any OpenedMedia) throws -> [SIMD3<Int>] {
        let bitmap = try #require(try Decoded.frames(media).first?.bitmap)
        return stride(from: 4, to: bitmap.size.width, by: 8).map { x in
            let pixel = bitmap[x, 4]
            return SIMD3(Int(pixel.x), Int(pixel.y), Int(pixel.z))
        }
    }

    /// Codes of 10 bits in full range, and Chromium 156's 8-bit sRGB for them.
    static let grays: [(space: String, transfer: TransferCharacteristics, table: [Int: Int])] = [
        (
            "RGB_D65_202_Rel_PeQ", .pq,
            [
                0: 0, 64: 1, 128: 5, 192: 15, 256: 30, 320: 47, 384: 70, 448: 97, 512: 131,
                575: 173, 639: 212, 703: 235, 767: 254, 831: 255, 1023: 255,
            ]
        ),
        (
            "RGB_D65_202_Rel_HLG", .hlg,
            [
                0: 0, 64: 3, 128: 14, 192: 28, 256: 43, 320: 57, 384: 71, 448: 85, 512: 99,
                575: 115, 639: 134, 703: 158, 767: 187, 831: 211, 895: 227, 959: 242, 1023: 255,
            ]
        ),
    ]

    @Test(.needs("cjxl"), arguments: grays, ["-d 0", "-d 0.1"])
    func `HDR is shown as browsers show it`(
        gray: (space: String, transfer: TransferCharacteristics, table: [Int: Int]),
        options: String
    ) throws {
        let codes = gray.table.keys.sorted()
        let pixels = codes.map { SIMD3(repeating: ($0 * 65535 + 511) / 1023) }
        let media = try encoded(pixels, gray.space, options)
        #expect(media.info.color.transfer == gray.transfer)
        #expect(media.info.color.primaries == .bt2020)
        #expect(media.info.bitDepth == 16)
        #expect(media.info.hdrFormat != nil)
        for (code, color) in zip(codes, try colors(media)) {
            let wanted = try #require(gray.table[code])
            let most = options == "-d 0" ? 1 : 4
            for channel in 0..<3 { #expect(abs(color[channel] - wanted) <= most, "\(code)") }
        }
    }

    @Test(.needs("cjxl"), arguments: [("-d 0", 1), ("-d 0.1", 6)])
    func `wide colors become sRGB`(options: String, most: Int) throws {
        let pixels: [SIMD3<Int>] = [
            [40_000, 20_000, 10_000], [12_000, 34_000, 9_000], [9_000, 12_000, 50_000],
            [30_000, 30_000, 30_000], [65_535, 0, 0], [0, 65_535, 0],
        ]
        let media = try encoded(pixels, "RGB_D65_DCI_Rel_SRG", options)
        #expect(media.info.color.primaries == .displayP3)
        #expect(media.info.color.transfer == .sRGB)
        for (color, pixel) in zip(try colors(media), pixels) {
            let wanted = Self.sRGB(ofP3: pixel)
            for channel in 0..<3 {
                #expect(abs(color[channel] - wanted[channel]) <= most, "\(pixel): \(color)")
            }
        }
    }

    /// By the matrix of CSS Color 4, "Sample code for color conversions".
    private static func sRGB(ofP3 pixel: SIMD3<Int>) -> SIMD3<Int> {
        func light(_ code: Int) -> Double {
            let value = Double(code) / 65535
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        let (red, green, blue) = (light(pixel.x), light(pixel.y), light(pixel.z))
        let linear = [
            1.2249401762805598 * red - 0.22494017628055996 * green,
            -0.042056954709688163 * red + 1.0420569547096881 * green,
            -0.019637554590334432 * red - 0.078636045550631889 * green + 1.0982736001409663 * blue,
        ]
        let codes = linear.map { light -> Int in
            let clamped = min(max(light, 0), 1)
            let code =
                clamped <= 0.0031308 ? clamped * 12.92 : 1.055 * pow(clamped, 1 / 2.4) - 0.055
            return Int((code * 255).rounded())
        }
        return [codes[0], codes[1], codes[2]]
    }

    @Test(.needs("cjxl")) func `the file's own values come out where they are asked for`() throws {
        let pixels: [SIMD3<Int>] = [[40 * 257, 80 * 257, 120 * 257]]
        let media = try encoded(pixels, "RGB_D65_DCI_Rel_SRG", "-d 0")
        var options = ReaderOptions()
        options.color = .source
        let frame = try #require(try Decoded.frames(media, options).first)
        #expect(frame.bitmap[0, 0] == [40, 80, 120, 255])
        #expect(frame.color == media.info.color)
        let shown = try #require(try Decoded.frames(media).first)
        #expect(shown.color == .sRGB)
        #expect(shown.bitmap[0, 0] != [40, 80, 120, 255])
    }

    @Test(.needs("cjxl")) func `a power and sRGB are told`() throws {
        let pixels: [SIMD3<Int>] = [[128 * 257, 128 * 257, 128 * 257]]
        let power = try encoded(pixels, "RGB_D65_SRG_Rel_g0.5555556", "-d 0")
        #expect(abs((power.info.color.gamma ?? 0) - 1.8) < 0.001)
        // (128 / 255)^1.8 of light is 145 in sRGB.
        #expect(try abs(colors(power)[0].x - 145) <= 1)
        let plain = try encoded(pixels, "", "-d 0")
        #expect(plain.info.color.transfer == .sRGB && plain.info.color.primaries == .bt709)
        #expect(try colors(plain)[0] == [128, 128, 128])
    }
}
