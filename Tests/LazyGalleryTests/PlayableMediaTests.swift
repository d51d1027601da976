import LazyKit
import LazyMedia
import Testing

@testable import LazyGallery

struct PlayableMediaTests {
    private static func info(
        _ type: MediaType, _ codec: String, _ format: String? = nil
    ) -> MediaInfo {
        var info = MediaInfo(type: type, codec: codec, size: PixelSize(width: 2, height: 2))
        info.pixelFormat = format
        return info
    }

    @Test(
        arguments: [
            (info(.mp4, "h264", "yuv420p"), .original(fileExtension: "mp4")),
            (info(.mov, "h264", "yuvj420p"), .original(fileExtension: "mp4")),
            (info(.mp4, "h264", "yuv422p"), .converted(.mp4)),
            (info(.mp4, "h264", "yuv420p10le"), .converted(.mp4)),
            (info(.mp4, "hevc", "yuv420p"), .converted(.mp4)),
            (info(.mp4, "av1", "yuv420p10le"), .original(fileExtension: "mp4")),
            (info(.mov, "prores", "yuv422p10le"), .converted(.mp4)),
            (info(.webm, "vp9"), .original(fileExtension: "webm")),
            (info(.matroska, "vp9"), .converted(.mp4)),
            (info(.avi, "mpeg4"), .converted(.mp4)),
        ] as [(MediaInfo, PlayableMedia.Way)])
    func `a film is played as it is where all browsers play it`(
        info: MediaInfo, way: PlayableMedia.Way
    ) {
        #expect(PlayableMedia(info, kind: .film).way == way)
    }

    @Test(
        arguments: [
            (.gif, .animation, .original(fileExtension: "gif")),
            (.apng, .animation, .original(fileExtension: "png")),
            (.webpAnimation, .animation, .original(fileExtension: "webp")),
            (.jpegXLAnimation, .animation, .converted(.webpAnimation)),
            (.jpeg, .still, .original(fileExtension: "jpg")),
            (.heic, .still, .converted(.webp)),
            // A film of one frame is a picture, which no element for pictures shows.
            (.mp4, .still, .converted(.webp)),
        ] as [(MediaType, GalleryItem.Kind, PlayableMedia.Way)])
    func `a picture is shown as it is where all browsers show it`(
        type: MediaType, kind: GalleryItem.Kind, way: PlayableMedia.Way
    ) {
        #expect(PlayableMedia(Self.info(type, "h264"), kind: kind).way == way)
    }
}

extension PlayableMediaTests {
    @Test(
        arguments: [
            (.matroska, 3840, 10, .copy, true), (.matroska, 1920, 10, .copy, false),
            (.mp4, 3840, 10, .copy, false), (.matroska, 3840, 10, .none, false),
            (.heic, 3840, 1, .copy, false),
        ] as [(MediaType, Int, Int, Gallery.MediaChoice, Bool)])
    func `a film that is made smaller is announced`(
        type: MediaType, width: Int, count: Int, media: Gallery.MediaChoice, isAnnounced: Bool
    ) {
        var info = MediaInfo(type: type, codec: "h264", size: PixelSize(width: width, height: 100))
        info.pixelFormat = "yuv420p"
        info.frameCount = count
        let gallery = Gallery(folder: "a", title: "", media: media, encoders: .standard)
        #expect(gallery.reducesFilm(info) == isAnnounced)
    }
}
