// A list of pictures, animations and films in a window of SDL 2. `LazyImage` loads what is on the screen, plays it and
// frees it again; the toolkit only draws bitmaps.
//
// usage: PictureList FILE-OR-URL…

import CSDL2
import LazyKit
import Observation

@main @MainActor struct PictureList {
    static func main() async {
        let sources = Array(CommandLine.arguments.dropFirst())
        guard !sources.isEmpty else { return print("usage: PictureList FILE-OR-URL…") }
        guard let screen = Screen(title: "Pictures") else {
            return print("SDL: \(String(cString: SDL_GetError()))")
        }
        await List(sources).run(on: screen)
    }
}

/// The rows, and which of them are on the screen.
@MainActor final class List {
    static let rowHeight = 180
    let rows: [Row]
    var offset = 0

    init(_ sources: [String]) { rows = sources.map(Row.init) }

    func run(on screen: Screen) async {
        while handleEvents(height: screen.height) {
            screen.clear()
            for (number, row) in rows.enumerated() {
                let y = number * Self.rowHeight - offset
                row.isVisible = y < screen.height && y + Self.rowHeight > 0
                if row.isVisible { row.draw(on: screen, y: y, height: Self.rowHeight) }
            }
            screen.present()
            // The main actor is free for the models until the next frame.
            try? await Task.sleep(for: .milliseconds(16))
        }
    }

    /// Returns whether the window stays open.
    private func handleEvents(height: Int) -> Bool {
        var (event, distance) = (SDL_Event(), 0)
        while SDL_PollEvent(&event) != 0 {
            switch (SDL_EventType(event.type), event.key.keysym.scancode) {
            case (SDL_QUIT, _), (SDL_KEYDOWN, SDL_SCANCODE_Q): return false
            case (SDL_MOUSEWHEEL, _): distance -= Int(event.wheel.y) * 60
            case (SDL_KEYDOWN, SDL_SCANCODE_DOWN): distance += Self.rowHeight
            case (SDL_KEYDOWN, SDL_SCANCODE_UP): distance -= Self.rowHeight
            default: break
            }
        }
        offset = max(0, min(offset + distance, rows.count * Self.rowHeight - height))
        return true
    }
}

/// One row: a model, and the texture of what it shows.
@MainActor final class Row {
    private let image: LazyImage
    private var texture: OpaquePointer?
    private var isCurrent = false

    init(_ source: String) {
        var options = LazyImageOptions()
        options.maxPixelSize = 2 * List.rowHeight
        // A red square in place of what cannot be loaded.
        options.failureImage = try? Bitmap(size: PixelSize(width: 1, height: 1), isOpaque: true) {
            $0.copyBytes(from: [160, 24, 24, 255])
        }
        image = LazyImage(source, options: options, pipeline: .shared)
    }

    var isVisible = false {
        didSet {
            guard isVisible != oldValue else { return }
            guard !isVisible else { return image.onAppear() }
            image.onDisappear()
            SDL_DestroyTexture(texture)
            (texture, isCurrent) = (nil, false)
        }
    }

    func draw(on screen: Screen, y: Int, height: Int) {
        if !isCurrent {
            isCurrent = true
            // A change of the picture, the next frame for example, needs a new texture.
            let bitmap = withObservationTracking {
                image.image
            } onChange: {
                Task { @MainActor [weak self] in self?.isCurrent = false }
            }
            SDL_DestroyTexture(texture)
            texture = bitmap.flatMap(screen.texture)
        }
        if let texture { screen.draw(texture, y: y + 4, height: height - 8) }
    }
}

/// A window and its renderer.
@MainActor final class Screen {
    private let window: OpaquePointer
    private let renderer: OpaquePointer

    init?(title: String) {
        let flags = SDL_WINDOW_RESIZABLE.rawValue | SDL_WINDOW_ALLOW_HIGHDPI.rawValue
        guard SDL_Init(SDL_INIT_VIDEO) == 0,
            let window = SDL_CreateWindow(title, 0, 0, 480, 720, flags),
            let renderer = SDL_CreateRenderer(window, -1, 0)
        else { return nil }
        (self.window, self.renderer) = (window, renderer)
    }

    var height: Int {
        var (width, height): (Int32, Int32) = (0, 0)
        SDL_GetRendererOutputSize(renderer, &width, &height)
        return Int(height)
    }

    func clear() {
        SDL_SetRenderDrawColor(renderer, 24, 24, 24, 255)
        SDL_RenderClear(renderer)
    }

    func present() { SDL_RenderPresent(renderer) }

    /// RGBA8 with straight alpha is ABGR8888 on little-endian machines.
    func texture(of bitmap: Bitmap) -> OpaquePointer? {
        let texture = SDL_CreateTexture(
            renderer, SDL_PIXELFORMAT_ABGR8888.rawValue,
            Int32(SDL_TEXTUREACCESS_STATIC.rawValue), Int32(bitmap.size.width),
            Int32(bitmap.size.height))
        SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_BLEND)
        bitmap.withBytes { bytes in
            _ = SDL_UpdateTexture(texture, nil, bytes.baseAddress, Int32(bitmap.stride))
        }
        return texture
    }

    func draw(_ texture: OpaquePointer, y: Int, height: Int) {
        var (width, own): (Int32, Int32) = (0, 0)
        SDL_QueryTexture(texture, nil, nil, &width, &own)
        var place = SDL_Rect(
            x: 8, y: Int32(y), w: width * Int32(height) / max(1, own), h: Int32(height))
        SDL_RenderCopy(renderer, texture, nil, &place)
    }
}
