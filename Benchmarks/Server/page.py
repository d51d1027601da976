"""The page of development in Chromium: an address that is typed, and a file that is dropped."""

import json
import os
import shutil
import sys
import time

from gallery import Browser
from servers import MEDIA, Server, judge, skip

STATE = """JSON.stringify([...document.querySelectorAll("figure")].map(figure => ({
    text: figure.querySelector("figcaption").textContent, width: figure.querySelector("img")?.naturalWidth ?? 0,
    link: figure.querySelector("a")?.getAttribute("href") ?? ""})))"""


def figures(browser, wanted=3):
    """What is shown, once all of it is there; after a minute, what is."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        shown = json.loads(browser.value(STATE))
        if len(shown) == wanted and all(figure["width"] for figure in shown):
            break
        browser.listen(0.2)
    return shown


def drop(browser, path):
    data = {"items": [], "files": [path], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        browser.call("Input.dispatchDragEvent", type=kind, x=300, y=200, data=data)


def page(program, folder):
    name = "the page of development in Chromium"
    if not shutil.which("chromium"):
        return skip(name, "chromium is not installed")
    key = "--unsafe --key 746573742d6b6579 --salt 746573742d73616c74"
    with Server(program, folder, 18800, "--root", MEDIA, "--drain-delay", "0", "--timeout", "60", keys=key) as server:
        browser = Browser(1000, 1400)
        try:
            for domain in ("Runtime", "Log"):
                browser.call(domain + ".enable")
            browser.call("Page.navigate", url=f"http://127.0.0.1:{server.port}/")
            browser.listen(1)
            browser.value("document.querySelector('form input').value = 'local:///clip.mp4'; document.querySelector('form button').click()")
            typed = figures(browser)
            browser.listen(1)
            # The tile of a time follows the slider.
            slider = browser.value("""(() => { const range = document.querySelector("input[type=range]"); if (!range) return "";
                range.value = 3; range.oninput(); return document.getElementById("tile").style.backgroundImage })()""")
            if path := os.environ.get("LAZYIMG_SCREENSHOT"):
                import base64
                with open(path, "wb") as file:
                    file.write(base64.b64decode(browser.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]))
            signed = [server.get(figure["link"])[0] for figure in typed]
            wrong = server.get("/unsafe" + typed[0]["link"][44:])[0] if typed else 0
            drop(browser, f"{MEDIA}/counter.gif")
            browser.listen(1)
            dropped = figures(browser)
            errors = [event for event in browser.events if event.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded")
                      or event.get("method") == "Runtime.consoleAPICalled" and event["params"]["type"] == "error"]
        finally:
            browser.close()
    for event in errors:
        print(json.dumps(event)[:500], file=sys.stderr)
    for figure in typed + dropped:
        print(figure, file=sys.stderr)
    right = sum(figure["width"] > 0 and " bytes" in figure["text"] for figure in typed + dropped)
    judge(right == 6 and signed == [200] * 3 and wrong == 403 and "lz_sheet" in (slider or "") and not errors, name,
          f"{right} of 6 pictures of an address and a dropped file, {signed.count(200)} of 3 signed addresses, {len(errors)} errors in the console")
