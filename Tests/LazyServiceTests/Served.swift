import FoundationEssentials
import LazyBase
import LazyKit
import LazyLoading
import LazyMedia
import LazyPipeline
import Support

@testable import LazyService

/// A service on a folder, which decodes in this process.
struct Served {
    let service: ImageService

    init(
        _ folder: String = Media.folder,
        _ change: (inout ServiceConfiguration) throws -> Void = { _ in },
        pipeline changePipeline: (inout ImagePipeline.Configuration) throws -> Void = { _ in }
    ) throws {
        var pipeline = ImagePipeline.Configuration.inMemory
        pipeline.dataLoader = try RootFolder(folder, next: pipeline.dataLoader, lookingEvery: 0)
        pipeline.isRateLimiterEnabled = false
        try changePipeline(&pipeline)
        var configuration = ServiceConfiguration()
        // What a loaded machine needs; tests of deadlines set their own.
        configuration.deadline = .seconds(600)
        try change(&configuration)
        service = ImageService(
            pipeline: ImagePipeline(configuration: pipeline), configuration: configuration)
    }

    func get(
        _ target: String, method: String = "GET", _ fields: [String: String] = [:]
    ) async -> ServiceResponse {
        await service.respond(
            to: ServiceRequest(method: method, target: target, fields: fields))
    }

    func post(
        _ target: String, _ bytes: [UInt8], _ fields: [String: String] = [:]
    ) async throws -> ServiceResponse {
        let request = ServiceRequest(method: "POST", target: target, fields: fields)
        if let refusal = service.refusal(ofUpload: request) { return refusal }
        let file = UploadedFile(limit: 1 << 20)
        try file.append(bytes)
        return await service.respond(to: request, uploading: file)
    }

    /// The bytes of an answer.
    static func bytes(_ response: ServiceResponse) async throws -> [UInt8] {
        switch response.body {
        case .none: return []
        case .bytes(let bytes): return bytes
        case .pieces(let pieces):
            var bytes: [UInt8] = []
            for try await piece in pieces { bytes += piece }
            return bytes
        }
    }

    /// The media of an answer.
    static func media(_ response: ServiceResponse) async throws -> FrameSequence {
        try FrameSequence(opening: MemoryBytes(await bytes(response)), registry: .standard)
    }
}

/// Pictures as the data describes them.
enum Pictures {
    /// A picture of different pixels.
    static func plain(_ size: PixelSize) throws -> Bitmap {
        try Bitmap(size: size, isOpaque: true) { output in
            for place in 0..<size.pixelCount {
                let (x, y) = (place % size.width, place / size.width)
                output[place * 4] = UInt8(truncatingIfNeeded: x * 3)
                output[place * 4 + 1] = UInt8(truncatingIfNeeded: y * 5)
                output[place * 4 + 2] = UInt8(truncatingIfNeeded: x ^ y)
                output[place * 4 + 3] = 255
            }
        }
    }
}
