// First, because it owns the types of GTK that CLazyGTK has too.
internal import CGTK
internal import CLazyGTK
internal import LazyKit

extension Bitmap {
    /// Textures with a longer side are not in the atlas of the GL renderer.
    private static let atlasSide = 128

    /// The bitmap with more rows if it is small, each a copy of the last one, so that filters see no other color.
    var outsideAtlas: Bitmap {
        guard max(size.width, size.height) <= Self.atlasSide else { return self }
        let grown = PixelSize(width: size.width, height: Self.atlasSide + 1)
        let (stride, height) = (stride, size.height)
        let bitmap = try? Bitmap(size: grown, isOpaque: isOpaque) { output in
            withBytes { input in
                output.copyMemory(from: input)
                let last = UnsafeRawBufferPointer(rebasing: input[(stride * (height - 1))...])
                for row in height..<grown.height {
                    UnsafeMutableRawBufferPointer(rebasing: output[(stride * row)...])
                        .copyMemory(from: last)
                }
            }
        }
        return bitmap ?? self
    }

    /// The pixels premultiplied, and in the order of cairo; nil where there is no memory.
    var forCairo: Bitmap? {
        try? Bitmap(size: size, isOpaque: isOpaque) { output in
            withBytes { input in
                lazy_pixels_convert(
                    input.baseAddress, output.baseAddress, size.pixelCount, isOpaque)
            }
        }
    }
}
