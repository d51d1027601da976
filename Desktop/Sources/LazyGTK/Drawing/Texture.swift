internal import CGTK
internal import CLazyGTK
package import LazyKit
internal import LazyPipeline

/// The memory that a renderer draws textures from.
package enum TextureForm: Sendable {
    /// That of the bitmap.
    case bitmap
    /// That of the bitmap, with more rows if it is small: GTK's GL renderer keeps small textures alive in
    /// an atlas, which grows with each frame.
    case outsideAtlas
    /// A surface of cairo: GTK's cairo renderer would convert each texture of a window in each frame,
    /// through floating point.
    case cairo
}

/// A bitmap as renderers draw it: what they need is made when it is drawn first.
@MainActor package final class Texture {
    /// The size of the picture.
    package let size: PixelSize
    /// Keeps the address of the bitmap, which identifies it.
    private let bitmap: Bitmap
    /// The bitmap, or one with more rows or other pixels.
    private let drawn: Bitmap
    private let form: TextureForm

    /// The texture of GTK, whose memory is that of the bitmap.
    package private(set) lazy var pointer: OpaquePointer = OpaquePointer(made.pointer)
    private lazy var made = ObjectReference(owned: makeTexture().raw)
    private lazy var surface: Surface? = form == .cairo ? makeSurface() : nil

    init(_ bitmap: Bitmap, _ form: TextureForm) {
        self.bitmap = bitmap
        self.form = form
        size = bitmap.size
        switch form {
        case .bitmap: drawn = bitmap
        case .outsideAtlas: drawn = bitmap.outsideAtlas
        case .cairo: drawn = bitmap.forCairo ?? bitmap
        }
    }

    /// Draws the picture into a rectangle.
    func draw(_ snapshot: OpaquePointer, in rect: LayoutRect) {
        var bounds = graphene_rect_t(rect)
        if let surface {
            return lazy_snapshot_append_surface(snapshot, surface.pointer, &bounds)
        }
        guard drawn.size != size else {
            return gtk_snapshot_append_texture(snapshot, pointer, &bounds)
        }
        var full = bounds
        full.size.height *= Float(drawn.size.height) / Float(size.height)
        gtk_snapshot_push_clip(snapshot, &bounds)
        gtk_snapshot_append_texture(snapshot, pointer, &full)
        gtk_snapshot_pop(snapshot)
    }

    /// The number of textures and surfaces that exist, for tests and statistics.
    package static var count: Int { Int(lazy_texture_count()) }

    // MARK: - Objects of the toolkit

    private final class Owner {
        let bitmap: Bitmap
        init(_ bitmap: Bitmap) { self.bitmap = bitmap }
    }

    /// A surface of cairo, without another owner than its drawings.
    private final class Surface {
        let pointer: OpaquePointer
        init?(_ pointer: OpaquePointer?) {
            guard let pointer else { return nil }
            self.pointer = pointer
            // Cairo draws nothing of a surface that it could not make.
            guard cairo_surface_status(pointer) == CAIRO_STATUS_SUCCESS else { return nil }
        }
        deinit { cairo_surface_destroy(pointer) }
    }

    private func makeTexture() -> OpaquePointer {
        // A drag or the clipboard takes the pixels as they are.
        let bitmap = form == .cairo ? bitmap : drawn
        // The address stays valid while the owner keeps the bitmap.
        let pixels = bitmap.withBytes { $0.baseAddress }
        let owner = Unmanaged.passRetained(Owner(bitmap)).toOpaque()
        let pointer = lazy_texture_new(
            CInt(bitmap.size.width), CInt(bitmap.size.height), bitmap.stride, bitmap.isOpaque,
            pixels, owner,
            { owner in if let owner { Unmanaged<Owner>.fromOpaque(owner).release() } })
        guard let pointer else { preconditionFailure("GObject constructors do not fail") }
        return pointer
    }

    private func makeSurface() -> Surface? {
        let pixels = drawn.withBytes { $0.baseAddress }
        let owner = Unmanaged.passRetained(Owner(drawn)).toOpaque()
        return Surface(
            lazy_surface_new(
                CInt(size.width), CInt(size.height), drawn.stride, drawn.isOpaque, pixels, owner,
                { owner in if let owner { Unmanaged<Owner>.fromOpaque(owner).release() } }))
    }
}

extension graphene_rect_t {
    init(_ rect: LayoutRect) {
        self.init(
            origin: graphene_point_t(x: Float(rect.x), y: Float(rect.y)),
            size: graphene_size_t(width: Float(rect.width), height: Float(rect.height)))
    }
}
