package import LazyKit

/// The textures in use; views of one frame share one.
@MainActor package final class TextureCache {
    package static let shared = TextureCache()

    private struct Entry {
        weak var texture: Texture?
    }
    private var entries: [UnsafeRawPointer: Entry] = [:]
    private var pruneCount = 64

    /// The texture of a filled bitmap.
    package func texture(of bitmap: Bitmap, _ form: TextureForm = .bitmap) -> Texture {
        // The address of a bitmap is its identity: a texture in use keeps the bitmap.
        let address = bitmap.withBytes { $0.baseAddress }
        if let address, let texture = entries[address]?.texture, texture.size == bitmap.size {
            return texture
        }
        let texture = Texture(bitmap, form)
        if let address { entries[address] = Entry(texture: texture) }
        prune()
        return texture
    }

    /// Whether a bitmap has a texture already.
    package func contains(_ bitmap: Bitmap) -> Bool {
        guard let address = bitmap.withBytes({ $0.baseAddress }) else { return false }
        return entries[address]?.texture?.size == bitmap.size
    }

    private func prune() {
        guard entries.count > pruneCount else { return }
        entries = entries.filter { $0.value.texture != nil }
        pruneCount = max(64, entries.count * 2)
    }
}
