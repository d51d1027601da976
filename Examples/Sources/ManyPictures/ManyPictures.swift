// A list of many remote pictures, loaded side by side: one failure keeps no other back, an address
// that stands twice is loaded once, and the lines come out in the order of the list.
//
// usage: ManyPictures ADDRESS…

import FoundationEssentials
import LazyKit

@main struct ManyPictures {
    /// What a row of the list shows, as in `AsyncImage`.
    enum Phase {
        case success(ImageResponse)
        case failure(PipelineError)
    }

    static func main() async {
        let addresses = Array(CommandLine.arguments.dropFirst())
        guard !addresses.isEmpty else { return print("usage: ManyPictures ADDRESS…") }
        let rows = await load(addresses, in: .shared)
        for (address, phase) in zip(addresses, rows) { print(line(address, phase)) }
    }

    static func load(_ addresses: [String], in pipeline: ImagePipeline) async -> [Phase] {
        await withTaskGroup(of: (Int, Phase).self) { group in
            for (row, address) in addresses.enumerated() {
                group.addTask { (row, await phase(of: address, in: pipeline)) }
            }
            var phases: [Int: Phase] = [:]
            for await (row, phase) in group {
                print("\(phases.count + 1)/\(addresses.count) row \(row) is there")
                phases[row] = phase
            }
            return addresses.indices.compactMap { phases[$0] }
        }
    }

    private static func phase(of address: String, in pipeline: ImagePipeline) async -> Phase {
        var request = ImageRequest(string: address)
        request.thumbnail = .init(maxPixelSize: 160)
        do throws(PipelineError) {
            return .success(try await pipeline.response(for: request))
        } catch {
            return .failure(error)
        }
    }

    private static func line(_ address: String, _ phase: Phase) -> String {
        switch phase {
        case .success(let response):
            let kind = response.container.isAnimated ? "moves" : "still"
            return "\(address): \(response.image.size), \(kind), \(origin(response))"
        case .failure(let error): return "\(address): \(error)"
        }
    }

    private static func origin(_ response: ImageResponse) -> String {
        response.cacheType.map { "from the \($0.rawValue) cache" } ?? "loaded"
    }
}
