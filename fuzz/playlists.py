#!/usr/bin/env python3
"""Playlists of HLS and manifests of DASH in the forms that they have.

usage: playlists.py FOLDER DICTIONARY    writes each into the folder, and the words in them for libFuzzer
"""

import os
import re
import sys

HLS = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n"
SET = ('<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT3.5S">'
       '<Period id="0" start="PT0S"><AdaptationSet contentType="video" mimeType="video/mp4">{}</AdaptationSet></Period></MPD>')
REPRESENTATION = '<Representation id="v1" bandwidth="90000" width="64" height="48" codecs="avc1.64000c"{}'

# The segments are those of mutate.py, which has them beside each: a.ts, i.mp4 and one file of fragments, f.mp4.
PLAYLISTS = {
    "plain.m3u8": HLS + "#EXT-X-MEDIA-SEQUENCE:7\n" + "#EXTINF:1.000,\na.ts\n" * 3 + "#EXT-X-ENDLIST\n",
    "ranges.m3u8": HLS + "#EXTINF:1,\n#EXT-X-BYTERANGE:188@0\na.ts\n#EXTINF:1,\n#EXT-X-BYTERANGE:15604\na.ts\n#EXT-X-ENDLIST\n",
    "map.m3u8": HLS + '#EXT-X-MAP:URI="f.mp4",BYTERANGE="800@0"\n#EXTINF:1,\n#EXT-X-BYTERANGE:4000@800\nf.mp4\n'
    '#EXT-X-DISCONTINUITY\n#EXTINF:1,\n#EXT-X-GAP\nnone.ts\n#EXTINF:1,\na.ts\n#EXT-X-PLAYLIST-TYPE:VOD\n',
    "key.m3u8": HLS + '#EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x00000000000000000000000000000001\n#EXTINF:1,\na.ts\n'
    '#EXT-X-KEY:METHOD=NONE\n#EXTINF:1,\na.ts\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://k",'
    'KEYFORMAT="com.apple.streamingkeydelivery"\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST\n',
    "variables.m3u8": HLS + '#EXT-X-DEFINE:NAME="n",VALUE="a"\n#EXT-X-DEFINE:QUERYPARAM="token"\n#EXTINF:1,\n{$n}.ts?{$token}\n#EXT-X-ENDLIST\n',
    "main.m3u8": HLS + '#EXT-X-DEFINE:NAME="v",VALUE="v"\n#EXT-X-STREAM-INF:BANDWIDTH=90000,RESOLUTION=64x48,CODECS="avc1.64000c,mp4a.40.2"\n'
    '{$v}.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=5000,CODECS="mp4a.40.2"\ns.m3u8\n',
    "number.mpd": SET.format('<SegmentTemplate timescale="10" duration="10" startNumber="1" media="a.ts?$RepresentationID$-$Number%05d$"/>'
                             + REPRESENTATION.format("/>")),
    "timeline.mpd": SET.format('<SegmentTemplate timescale="1000" initialization="i.mp4" media="a.ts?$Bandwidth$-$Time$$$"><SegmentTimeline>'
                               '<S t="0" d="500" r="2"/><S d="1000" r="-1"/></SegmentTimeline></SegmentTemplate>' + REPRESENTATION.format("/>")),
    "list.mpd": SET.format(REPRESENTATION.format('><BaseURL>f.mp4</BaseURL><SegmentList timescale="1" duration="1"><Initialization range="0-799"/>'
                                                 '<SegmentURL mediaRange="800-4799"/><SegmentURL media="a.ts" mediaRange="0-187"/></SegmentList></Representation>')),
    "index.mpd": SET.format(REPRESENTATION.format('><BaseURL>f.mp4</BaseURL><SegmentBase indexRange="800-899"><Initialization range="0-799"/>'
                                                  '</SegmentBase></Representation>')),
    "one.mpd": SET.format(REPRESENTATION.format("><BaseURL>a.t&#115;</BaseURL></Representation>")).replace("</Period>", "</Period><Period duration='PT1S'></Period>"),
    "live.mpd": SET.format('<ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc"/><EssentialProperty schemeIdUri="x"/>'
                           '<SegmentTemplate media="$Number$" duration="2"/>' + REPRESENTATION.format("/>"))
    .replace('"static"', '"dynamic" availabilityStartTime="2026-01-02T03:04:05Z"'),
}


def main():
    folder, dictionary = sys.argv[1:3]
    words = set()
    for name, text in PLAYLISTS.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
        words |= set(re.findall(r"#EXT[A-Z0-9-]*:?|[A-Z-]+=\"?|</?[A-Za-z]+>?|[A-Za-z]+=|\$[A-Za-z]+\$?|&#?[a-z0-9]+;|urn:[^\"]+", text))
    with open(dictionary, "w") as file:
        file.writelines('"' + word.replace('"', '\\"') + '"\n' for word in sorted(words))


if __name__ == "__main__":
    main()
