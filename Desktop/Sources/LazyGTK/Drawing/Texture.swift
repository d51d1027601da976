internal import CGTK
internal import CLazyGTK
package import LazyKit

/// A texture of a bitmap, without a copy of its pixels.
@MainActor package final class Texture {
    /// What GTK draws.
    package let pointer: OpaquePointer
    /// The size of the picture; that of the texture may be larger.
    package let size: PixelSize
    /// The size of the texture.
    let fullSize: PixelSize
    private let reference: ObjectReference

    fileprivate init(_ pointer: OpaquePointer, size: PixelSize, fullSize: PixelSize) {
        self.pointer = pointer
        self.size = size
        self.fullSize = fullSize
        reference = ObjectReference(owned: pointer.raw)
    }

    /// Draws the picture into a rectangle.
    func draw(_ snapshot: OpaquePointer, in rect: LayoutRect) {
        var bounds = graphene_rect_t(rect)
        guard fullSize != size else {
            return gtk_snapshot_append_texture(snapshot, pointer, &bounds)
        }
        var full = bounds
        full.size.height *= Float(fullSize.height) / Float(size.height)
        gtk_snapshot_push_clip(snapshot, &bounds)
        gtk_snapshot_append_texture(snapshot, pointer, &full)
        gtk_snapshot_pop(snapshot)
    }

    /// The number of textures that exist, for tests and statistics.
    package static var count: Int { Int(lazy_texture_count()) }
}

extension graphene_rect_t {
    init(_ rect: LayoutRect) {
        self.init(
            origin: graphene_point_t(x: Float(rect.x), y: Float(rect.y)),
            size: graphene_size_t(width: Float(rect.width), height: Float(rect.height)))
    }
}

/// The textures in use; views of one frame share one.
@MainActor package final class TextureCache {
    package static let shared = TextureCache()

    private struct Entry {
        weak var texture: Texture?
    }
    private final class Owner {
        /// What is drawn, and what identifies it.
        let bitmaps: (Bitmap, Bitmap)
        init(_ full: Bitmap, _ bitmap: Bitmap) { bitmaps = (full, bitmap) }
    }
    private var entries: [UnsafeRawPointer: Entry] = [:]
    private var pruneCount = 64

    /// GTK's GL renderer keeps smaller textures alive in an atlas, which grows with each frame.
    private static let leastSide = 129

    /// The texture of a filled bitmap; `pads` avoids the atlas of the GL renderer.
    package func texture(of bitmap: Bitmap, pads: Bool) -> Texture {
        // The address of a bitmap is its identity: a texture in use keeps the bitmap.
        let address = bitmap.withBytes { $0.baseAddress }
        if let address, let texture = entries[address]?.texture, texture.size == bitmap.size {
            return texture
        }
        let isSmall = max(bitmap.size.width, bitmap.size.height) < Self.leastSide
        let texture = Self.make(pads && isSmall ? Self.padded(bitmap) ?? bitmap : bitmap, bitmap)
        if let address { entries[address] = Entry(texture: texture) }
        prune()
        return texture
    }

    /// Whether a bitmap has a texture already.
    package func contains(_ bitmap: Bitmap) -> Bool {
        guard let address = bitmap.withBytes({ $0.baseAddress }) else { return false }
        return entries[address]?.texture?.size == bitmap.size
    }

    private static func make(_ full: Bitmap, _ bitmap: Bitmap) -> Texture {
        // The address stays valid while the owner keeps the bitmap.
        let pixels = full.withBytes { $0.baseAddress }
        let owner = Unmanaged.passRetained(Owner(full, bitmap)).toOpaque()
        let pointer = lazy_texture_new(
            CInt(full.size.width), CInt(full.size.height), full.stride, full.isOpaque, pixels,
            owner, { owner in if let owner { Unmanaged<Owner>.fromOpaque(owner).release() } })
        guard let pointer else { preconditionFailure("GObject constructors do not fail") }
        return Texture(pointer, size: bitmap.size, fullSize: full.size)
    }

    /// The bitmap with more rows, each a copy of the last one, so that filters see no other color.
    private static func padded(_ bitmap: Bitmap) -> Bitmap? {
        let size = PixelSize(width: bitmap.size.width, height: leastSide)
        let (stride, height) = (bitmap.stride, bitmap.size.height)
        return try? Bitmap(size: size, isOpaque: bitmap.isOpaque) { output in
            bitmap.withBytes { input in
                output.copyMemory(from: input)
                let last = UnsafeRawBufferPointer(rebasing: input[(stride * (height - 1))...])
                for row in height..<leastSide {
                    UnsafeMutableRawBufferPointer(rebasing: output[(stride * row)...])
                        .copyMemory(from: last)
                }
            }
        }
    }

    private func prune() {
        guard entries.count > pruneCount else { return }
        entries = entries.filter { $0.value.texture != nil }
        pruneCount = max(64, entries.count * 2)
    }
}
