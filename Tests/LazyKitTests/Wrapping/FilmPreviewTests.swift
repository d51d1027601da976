import FoundationEssentials
import HTTPSupport
import LazyBase
import LazyKit
import LazyLoading
import Support
import Testing

/// A model of a film whose tables come last, with the standard loaders and a store.
@Suite(.timeLimit(.minutes(2))) @MainActor struct FilmPreviewTests {
    @Test
    func `a view shows the first frame while the film loads, and the store gets the film once`()
        async throws
    {
        let scratch = Scratch()
        let film = MovieForge.spread(
            try Media.array("clip.mp4"), room: 1_000_000, tablesFirst: false)
        let rest = Gate()
        let server = try ScriptedServer { request in
            if request["Range"] != nil {
                return .serve(film, to: request, etag: "\"1\"", cacheControl: "max-age=60")
            }
            let head = ScriptedServer.Response.head(
                200,
                headers: [
                    ("ETag", "\"1\""), ("Accept-Ranges", "bytes"), ("Cache-Control", "max-age=60"),
                ], count: film.count)
            return [.send(head + film[..<200_000]), .wait(rest), .send(Array(film[200_000...]))]
        }
        let pipeline = ImagePipeline(
            configuration: .withURLCache(
                try DiskStore(folder: scratch.path("cache")), imageCache: nil))
        let image = LazyImage(url: server.url("/film.mp4"), pipeline: pipeline)
        image.onAppear()
        for await phase in image.phases where phase.name == "preview" { break }
        #expect(image.image?.size == PixelSize(width: 640, height: 360))
        #expect(image.playback == nil && image.isLoading)
        rest.open()
        let response = try await image.loaded()
        #expect(response.container.isAnimated)
        let count = server.requests.count
        let again = LazyImage(url: server.url("/film.mp4"), pipeline: pipeline)
        #expect(try await again.loaded().cacheType == .disk)
        #expect(server.requests.count == count)
        #expect(server.sight.sentBytes < film.count + 500_000)
    }
}
