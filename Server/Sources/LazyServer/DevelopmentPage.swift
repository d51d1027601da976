public import Hummingbird
public import LazyService

extension RouterMethods {
    /// Answers `/` with a page that shows what a service makes of an address or of a file that is dropped on it.
    ///
    /// For development only: it asks for everything, and has every path signed.
    @discardableResult
    public func addDevelopmentPage(of service: ImageService) -> Self {
        let prefix = service.configuration.pathPrefix
        get(RouterPath(prefix + "/sign")) { request, _ -> String in
            let path = request.uri.queryParameters.get("path") ?? ""
            return prefix + (service.configuration.signature.signed(path) ?? "/unsafe" + path)
        }
        get(RouterPath(prefix + "/")) { _, _ -> Response in
            Response(
                status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
                body: .init(
                    byteBuffer: ByteBuffer(
                        string: developmentPage.replacing("PREFIX", with: prefix))))
        }
        return self
    }
}

private let developmentPage = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>lazyimg-server</title>
    <link rel="icon" href="data:,">
    <style>
    body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
    form { display: flex; gap: .5rem }
    input[name=source] { flex: 1; font: inherit; padding: .3rem }
    figure { margin: 1.5rem 0 } figcaption, code { font-size: .85rem; overflow-wrap: anywhere }
    img { max-width: 100%; background: #eee } .over { outline: 3px dashed #08f }
    #tile { background-repeat: no-repeat; background-color: #eee }
    </style>
    <h1>lazyimg-server</h1>
    <p>The address of a picture or a film, or a file dropped anywhere on this page.</p>
    <form><input name="source" aria-label="Source" value="local:///clip.mp4"><button>Show</button></form>
    <div id="results" aria-live="polite"></div>
    <script>
    const results = document.getElementById("results");
    const kinds = [
      ["Poster", "rs:fit:480:480", "webp"],
      ["Preview", "w:320/lz_animate:3", "webp"],
      ["Sheet", "lz_sheet:10:5:160", "jpg"],
    ];
    const signed = async path =>
      (await fetch("PREFIX/sign?path=" + encodeURIComponent(path))).text();
    async function show(title, path, options) {
      const figure = document.createElement("figure");
      const caption = document.createElement("figcaption");
      figure.append(caption);
      results.append(figure);
      const target = await signed(path);
      const response = await fetch(target, options);
      if (!response.ok) {
        caption.textContent = `${title}: ${response.status} ${await response.text()}`;
        return;
      }
      const blob = await response.blob();
      const image = document.createElement("img");
      image.alt = title;
      image.src = URL.createObjectURL(blob);
      caption.innerHTML = "<b></b> <code><a></a></code>";
      caption.querySelector("b").textContent = `${title}, ${blob.type}, ${blob.size} bytes`;
      caption.querySelector("a").textContent = target;
      // What was sent is at no address.
      if (!options) caption.querySelector("a").href = target;
      figure.append(image);
    }
    async function slider(source) {
      const response = await fetch(await signed(`/lz_sheet:10:5:160/plain/${source}@vtt`));
      if (!response.ok) return;
      const cues = [...(await response.text()).matchAll(/\\n([0-9:.]+) --> .*\\n(.*)#xywh=(.*)/g)];
      if (!cues.length) return;
      const range = Object.assign(document.createElement("input"),
        { type: "range", min: 0, max: cues.length - 1, value: 0, ariaLabel: "Time" });
      const tile = document.createElement("div");
      const time = document.createElement("code");
      tile.id = "tile";
      range.oninput = () => {
        const [, start, address, rect] = cues[range.value];
        const [x, y, width, height] = rect.split(",");
        tile.style = `background-image:url("${address}");background-position:-${x}px -${y}px;`
          + `width:${width}px;height:${height}px`;
        time.textContent = start;
      };
      range.oninput();
      results.append(tile, range, time);
    }
    document.querySelector("form").onsubmit = event => {
      event.preventDefault();
      results.textContent = "";
      const source = encodeURI(event.target.source.value).replaceAll("@", "%40").replaceAll("?", "%3F");
      for (const [title, options, ending] of kinds)
        show(title, `/${options}/plain/${source}@${ending}`);
      slider(source);
    };
    document.ondragover = event => { event.preventDefault(); document.body.className = "over"; };
    document.ondragleave = () => { document.body.className = ""; };
    document.ondrop = event => {
      event.preventDefault();
      document.body.className = "";
      results.textContent = "";
      const file = event.dataTransfer.files[0];
      const name = encodeURIComponent(file.name).replaceAll(".", "%2E");
      for (const [title, options, ending] of kinds)
        show(title, `/${options}/plain/upload:${name}@${ending}`, { method: "POST", body: file });
    };
    </script>
    </html>
    """
