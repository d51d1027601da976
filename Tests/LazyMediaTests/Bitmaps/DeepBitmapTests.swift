import LazyMedia
import Support
import Testing

@Suite struct DeepBitmapTests {
    /// Noise that is the same each time.
    private static func picture(
        _ width: Int, _ height: Int, isOpaque: Bool = false
    ) throws -> DeepBitmap {
        var random = SplitMix(7)
        return try DeepBitmap(
            size: PixelSize(width: width, height: height), isOpaque: isOpaque
        ) { rows in
            let pixels = rows.bindMemory(to: SIMD4<UInt16>.self)
            for index in pixels.indices {
                pixels[index] = unsafeBitCast(random.next(), to: SIMD4<UInt16>.self)
                if isOpaque { pixels[index].w = 65535 }
            }
        }
    }

    @Test func `Rows have 8 bytes a pixel, in the order of the processor`() throws {
        let bitmap = try DeepBitmap(
            size: PixelSize(width: 2, height: 2), isOpaque: false
        ) { rows in
            for index in 0..<16 {
                rows.storeBytes(of: UInt16(index * 4000), toByteOffset: index * 2, as: UInt16.self)
            }
        }
        #expect(bitmap.stride == 16 && bitmap.byteCount == 32)
        #expect(bitmap[1, 1] == SIMD4(48000, 52000, 56000, 60000))
    }

    @Test func `The bitmap has the nearest 8 bits of each sample`() throws {
        let picture = try Self.picture(31, 9)
        let bitmap = try picture.bitmap()
        for y in 0..<9 {
            for x in 0..<31 {
                for channel in 0..<4 {
                    let exact = Double(picture[x, y][channel]) / 257
                    #expect(abs(Double(bitmap[x, y][channel]) - exact) <= 0.5)
                }
            }
        }
        #expect(bitmap.isOpaque == picture.isOpaque)
    }

    @Test func `A frame of 16 bits has the bitmap too, and keeps both in another play`() throws {
        let picture = try Self.picture(5, 4)
        let frame = try Frame(deep: picture, timing: .still, color: ColorDescription())
        #expect(frame.deep == picture)
        #expect(try frame.bitmap == picture.bitmap())
        #expect(frame.replacing(frame.bitmap).deep == nil)
        let part = try picture.cropped(to: PixelRect(x: 1, y: 2, width: 3, height: 2))
        let cropped = try frame.replacing(deep: part)
        #expect(cropped.deep?[0, 0] == picture[1, 2] && cropped.deep?[2, 1] == picture[3, 3])
        #expect(cropped.bitmap.size == PixelSize(width: 3, height: 2))
    }

    @Test(arguments: 1...8)
    func `It turns as the bitmap does`(_ tag: Int) throws {
        let picture = try Self.picture(40, 33)
        let orientation = Orientation(exif: tag)
        #expect(try picture.turned(orientation).bitmap() == picture.bitmap().turned(orientation))
    }

    @Test(arguments: [(20, 10), (7, 3), (80, 41), (41, 9)], [true, false])
    func `It scales as the bitmap does`(_ sides: (Int, Int), _ isOpaque: Bool) throws {
        let picture = try Self.picture(41, 20, isOpaque: isOpaque)
        let target = PixelSize(width: sides.0, height: sides.1)
        let deep = try picture.scaled(to: target)
        let small = try picture.bitmap().scaled(to: target)
        for y in 0..<target.height {
            for x in 0..<target.width {
                let weight = Double(small[x, y].w) / 255
                for channel in 0..<4 {
                    let share = channel == 3 ? 1 : weight
                    let difference =
                        Double(deep[x, y][channel]) / 257 - Double(small[x, y][channel])
                    #expect(abs(difference) * share <= 2, "\(x) \(y) \(channel)")
                }
            }
        }
    }

    @Test func `It lies in the middle of a larger canvas, smaller where it must`() throws {
        let picture = try Self.picture(4, 2, isOpaque: true)
        let placed = try picture.placed(on: PixelSize(width: 8, height: 6))
        #expect(placed[2, 2] == picture[0, 0] && placed[5, 3] == picture[3, 1])
        #expect(placed[1, 2] == .zero && placed[6, 3] == .zero && !placed.isOpaque)
        let small = try picture.placed(on: PixelSize(width: 2, height: 2))
        #expect(small.size == PixelSize(width: 2, height: 2))
        #expect(small[0, 1] == .zero && small[0, 0].w == 65535)
    }
}
