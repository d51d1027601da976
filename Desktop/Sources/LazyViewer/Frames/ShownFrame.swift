internal import FoundationEssentials
import Glibc
internal import LazyBase
internal import LazyKit

/// The frame that is shown, in the size of the file.
package enum ShownFrame {
    /// Decodes a frame of an item anew: what is drawn has the size of the window.
    static func frame(_ index: Int?, of item: ViewerItem) async throws -> Bitmap {
        let response = try await ImagePipeline.shared.response(for: item.request)
        guard let index, response.container.isAnimated else {
            return await response.container.poster
        }
        let bitmap = try await response.container.frames.frame(index).bitmap
        await BlockingPool.shared.run { bitmap.withBytes { _ in } }
        return bitmap
    }

    /// A name for the file of a frame: `clip-frame-00012.png`; pure.
    package static func fileName(_ name: String, frame: Int?) -> String {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let stem = dot == name.startIndex ? name : String(name[..<dot])
        guard let frame else { return stem + ".png" }
        let digits = String(frame)
        let zeros = String(repeating: "0", count: max(0, 5 - digits.count))
        return "\(stem)-frame-\(zeros)\(digits).png"
    }

    /// Writes a file, which appears whole or not at all.
    static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    }
}
