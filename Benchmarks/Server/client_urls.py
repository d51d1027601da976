"""URLs as clients of imgproxy make them, by chance: `client_urls.py KEY SALT SOURCE COUNT`.

Prints lines of JSON: the client, its URL, and the path without a signature that means the same here; null where it has to be
refused. Runs where scripts/install-peers.sh has installed the clients; one that is not there is left out.
"""

import json
import random
import sys

KEY, SALT, SOURCE, COUNT = *sys.argv[1:4], int(sys.argv[4])
HOST = "http://images.example"
GRAVITIES = ["no", "so", "ea", "we", "noea", "nowe", "soea", "sowe", "ce"]
ENDINGS = ["webp", "jpg", "png"]


def tell(client, url, meaning):
    print(json.dumps([client, url.removeprefix(HOST), meaning]))


def said(options, ending):
    """The path of options, in order."""
    return "/".join(["", *(":".join([name, *map(str, values)]) for name, *values in options), "plain", SOURCE]) + "@" + ending


def imgproxy(chance):
    import imgproxy
    make = imgproxy.ImgProxy.factory(proxy_host=HOST, key=KEY, salt=SALT)
    kind, gravity, enlarge = chance.choice(["fit", "fill", "auto"]), chance.choice(GRAVITIES), chance.random() < 0.5
    width, height, ending = chance.randint(0, 90), chance.randint(1, 90), chance.choice(ENDINGS)
    options = [f"q:{chance.randint(1, 100)}", f"cb:{chance.randint(1, 9)}"][:chance.randint(0, 2)]
    url = make(SOURCE, *options, resizing_type=kind, width=width, height=height, gravity=gravity, enlarge=enlarge, extension=ending)
    return str(url), said([option.split(":") for option in options] + [("g", gravity), ("rs", kind, width, height, int(enlarge))], ending)


def mkimgproxy(chance):
    import mkimgproxy
    options = {"resize": f"{chance.choice(['fit', 'fill', 'force'])}:{chance.randint(1, 90)}:{chance.randint(1, 90)}",
               "quality": str(chance.randint(1, 100)), "background": "ff8800", "padding": str(chance.randint(0, 9))}
    options = {name: options[name] for name in chance.sample(list(options), chance.randint(1, 4))}
    ending = chance.choice(ENDINGS)
    return (mkimgproxy.ImgProxy(KEY, SALT, HOST).generate(SOURCE, options, ending),
            said([(name, *value.split(":")) for name, value in options.items()], ending))


def pyimgproxy(chance):
    import pyimgproxy.imgproxy
    image = pyimgproxy.imgproxy.ImgProxy(HOST, KEY, SALT).image(SOURCE)
    ending, wanted = chance.choice(ENDINGS), []
    yes = chance.random() < 0.5

    def add(option, name, *values):
        nonlocal image
        image = option(image)
        wanted.append((name, *(int(value) if isinstance(value, bool) else value for value in values)))

    width, height, number = chance.randint(1, 90), chance.randint(1, 90), chance.randint(1, 9)
    gravity, kind = chance.choice(GRAVITIES), chance.choice(["fit", "fill", "fill-down", "force", "auto"])
    steps = [
        lambda: add(lambda i: i.resize(kind, width, height, yes), "rs", kind, width, height, yes),
        lambda: add(lambda i: i.size(width, None, yes), "s", width, "", yes),
        lambda: add(lambda i: i.width(width).height(height), "s", width, height),
        lambda: add(lambda i: i.resizing_type(kind), "rt", kind),
        lambda: add(lambda i: i.min_width(width), "mw", width),
        lambda: add(lambda i: i.min_height(height), "mh", height),
        lambda: add(lambda i: i.zoom(0.5), "z", 0.5),
        lambda: add(lambda i: i.dpr(2), "dpr", 2),
        lambda: add(lambda i: i.enlarge(yes), "el", yes),
        lambda: add(lambda i: i.extend(yes, gravity), "ex", yes, gravity),
        lambda: add(lambda i: i.extend_aspect_ratio(yes), "exar", yes),
        lambda: add(lambda i: i.gravity(gravity, number), "g", gravity, number),
        lambda: add(lambda i: i.crop(width, 0.5, gravity), "c", width, 0.5, gravity),
        lambda: add(lambda i: i.trim(number, "ff00ff", yes), "t", number, "ff00ff", yes),
        lambda: add(lambda i: i.padding(number, 2), "pd", number, 2),
        lambda: add(lambda i: i.auto_rotate(yes), "ar", yes),
        lambda: add(lambda i: i.rotate(90 * (number % 4)), "rot", 90 * (number % 4)),
        lambda: add(lambda i: i.background(hex_color="336699"), "bg", "336699"),
        lambda: add(lambda i: i.background(red=1, green=2, blue=255), "bg", 1, 2, 255),
        lambda: add(lambda i: i.blur(number), "bl", number),
        lambda: add(lambda i: i.sharpen(0.5), "sh", 0.5),
        lambda: add(lambda i: i.pixelate(number), "pix", number),
        lambda: add(lambda i: i.strip_metadata(yes).keep_copyright(yes).strip_color_profile(yes).enforce_thumbnail(yes), "q", 0),
        lambda: add(lambda i: i.quality(number * 10), "q", number * 10),
        lambda: add(lambda i: i.disable_animation(True), "da", True),
        lambda: add(lambda i: i.cachebuster(f"v{number}"), "cb", f"v{number}"),
        lambda: add(lambda i: i.return_attachment(yes), "att", yes),
        lambda: add(lambda i: i.max_src_resolution(50), "msr", 50),
        lambda: add(lambda i: i.max_animation_frames(number), "maf", number),
    ]
    for step in chance.sample(steps, chance.randint(1, 5)):
        step()
    image = image.format(ending)
    return image.url, said(wanted, ending)


def imgproxykit(chance):
    from imgproxykit import Client, Transform, options as o
    width, height, number = chance.randint(1, 90), chance.randint(1, 90), chance.randint(1, 9)
    kind, gravity, yes = chance.choice(["fit", "fill", "fill-down", "force", "auto"]), chance.choice(GRAVITIES), chance.random() < 0.5
    ending, flag = chance.choice(ENDINGS), int(yes)
    choices = [
        (o.Resize(mode=kind, width=width, height=height), ("rs", kind, width, height)),
        (o.Size(width=width, height=height), ("s", width, height)),
        (o.Gravity(position=gravity), ("g", gravity)),
        (o.Crop(width=width, height=0.5, gravity=gravity), ("c", width, 0.5, gravity)),
        (o.Trim(threshold=number, color="ff00ff", equal_hor=yes), ("t", number, "ff00ff", flag)),
        (o.Padding(top=number, left=2), ("pd", number, "", "", 2)),
        (o.Flip(horizontal=yes, vertical=True), ("fl", flag, 1)),
        (o.Zoom(factor_x=0.5), ("z", 0.5)),
        (o.Watermark(opacity=0.5, position="soea", offset_x=2, offset_y=3), ("wm", 0.5, "soea", 2, 3)),
        (o.DPR(2), ("dpr", 2)), (o.Quality(number * 10), ("q", number * 10)), (o.Blur(number), ("bl", number)),
        (o.Sharpen(0.5), ("sh", 0.5)), (o.Pixelate(number), ("pix", number)), (o.Rotate(90), ("rot", 90)),
        (o.MinWidth(width), ("mw", width)), (o.MinHeight(height), ("mh", height)), (o.Enlarge(yes), ("el", flag)),
        (o.AutoRotate(yes), ("ar", flag)), (o.StripMetadata(yes), ("q", 0)), (o.PreserveHDR(yes), ("q", 0)),
        (o.MaxBytes(90000), ("mb", 90000)), (o.ReturnAttachment(yes), ("att", flag)), (o.CacheBuster("v1"), ("cb", "v1")),
        (o.MaxResultDimension(60), ("mrd", 60)), (o.Expires(4000000000), ("exp", 4000000000)),
    ]
    chosen = chance.sample(choices, chance.randint(1, 5))
    url = Client(HOST, key=KEY, salt=SALT).url(SOURCE, transform=Transform(*(option for option, _ in chosen), format=ending))
    return url, said([meaning for _, meaning in chosen], ending)


def django_imgproxy(chance):
    from django.conf import settings
    if not settings.configured:
        settings.configure(IMGPROXY_BASE_URL=HOST, IMGPROXY_KEY=KEY, IMGPROXY_SALT=SALT)
    from django_imgproxy import builder, settings as own
    own.IMGPROXY_BASE64_ENCODE_SOURCE_URL = chance.random() < 0.5
    options = {"rs": f"{chance.choice(['fit', 'fill', 'auto'])}:{chance.randint(1, 90)}:{chance.randint(1, 90)}", "dpr": 2,
               "q": chance.randint(1, 100), "fn": "café au lait.jpg", "g": chance.choice(GRAVITIES)}
    options = {name: options[name] for name in chance.sample(list(options), chance.randint(1, 5))}
    ending = chance.choice(ENDINGS)
    wanted = [(name, *str(value).split(":")) for name, value in options.items() if name != "fn"]
    return builder.imgproxy(SOURCE, ending, **options), said(wanted or [("q", 0)], ending)


def imgproxy_python(chance):
    """The form of version 2, which is no longer one."""
    from imgproxy_python.urls import UrlGenerator
    options = {"width": chance.randint(1, 90), "height": chance.randint(1, 90), "resize": "fit", "extension": ".png"}
    return UrlGenerator(SOURCE, {"imgproxy_key": KEY, "imgproxy_salt": SALT, "imgproxy_host": HOST, "options": options}).get_full_signed_url(), None


def main():
    for client in (imgproxy, mkimgproxy, pyimgproxy, imgproxykit, django_imgproxy, imgproxy_python):
        for number in range(COUNT):
            try:
                tell(client.__name__, *client(random.Random(number)))
            except (ImportError, SyntaxError) as error:
                print(f"Not measured, {client.__name__}: {error}", file=sys.stderr)
                break


main()
