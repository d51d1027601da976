/// What a browser's own decoder says about a picture.
public struct BrowserPicture: Sendable {
    /// Repeats after the first play; nil forever.
    public let repeats: Int?
    /// One a frame: microseconds, columns, rows, and the SHA-256 of its RGBA with straight alpha.
    ///
    /// Where alpha is 0 the colors count as 0.
    public let frames: [Frame]

    /// One frame.
    public struct Frame: Hashable, Sendable {
        /// How long it is shown.
        public let microseconds: Int
        /// Columns and rows.
        public let width: Int, height: Int
        /// The digest in hexadecimal digits.
        public let digest: String

        /// Makes a frame to compare with.
        public init(microseconds: Int, width: Int, height: Int, digest: String) {
            (self.microseconds, self.width, self.height) = (microseconds, width, height)
            self.digest = digest
        }
    }
}

extension Browser {
    /// Decodes a picture of the server by the page's `ImageDecoder`.
    public func decode(_ file: File) throws -> BrowserPicture {
        let script = """
            (async () => {
              const data = await (await fetch('/\(file.name)')).arrayBuffer();
              const decoder = new ImageDecoder({
                data, type: '\(file.type)', premultiplyAlpha: 'none', colorSpaceConversion: 'none'});
              await decoder.completed; await decoder.tracks.ready;
              const track = decoder.tracks.selectedTrack;
              const repeats = track.repetitionCount === Infinity ? -1 : track.repetitionCount;
              const frames = [];
              for (let index = 0; index < track.frameCount; index++) {
                const {image} = await decoder.decode({frameIndex: index, completeFramesOnly: true});
                const bytes = new Uint8Array(image.codedWidth * image.codedHeight * 4);
                await image.copyTo(bytes, {format: 'RGBA'});
                const pixels = new Uint32Array(bytes.buffer);
                for (let k = 0; k < pixels.length; k++) if (pixels[k] >>> 24 === 0) pixels[k] = 0;
                const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
                frames.push([image.duration ?? 0, image.codedWidth, image.codedHeight,
                  Array.from(digest, x => x.toString(16).padStart(2, '0')).join('')]);
                image.close();
              }
              return [repeats, frames];
            })()
            """
        guard let answer = try evaluate(script) as? [Any], let repeats = answer.first as? Int,
            let rows = answer.last as? [[Any]]
        else { throw Failure(description: "The browser does not say what \(file.name) is.") }
        let frames = rows.compactMap { row -> BrowserPicture.Frame? in
            guard row.count == 4, let time = row[0] as? Int, let width = row[1] as? Int,
                let height = row[2] as? Int, let digest = row[3] as? String
            else { return nil }
            return .init(microseconds: time, width: width, height: height, digest: digest)
        }
        return BrowserPicture(repeats: repeats < 0 ? nil : repeats, frames: frames)
    }
}
