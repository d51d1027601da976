extension PageAssets {
    static let head = #"""
        // The page of a gallery that `lazyimg gallery` has made. Plain JavaScript without a build step.
        // Names of files reach the page as text only: no part of it is ever parsed as HTML.
        (() => {
        'use strict';
        const $ = id => document.getElementById(id);
        const make = (tag, members) => Object.assign(document.createElement(tag), members);
        const {count, chunk, formats, version} = document.body.dataset;
        const itemCount = Number(count), partSize = Number(chunk), pictureTypes = formats.split(' ');
        const grid = $('grid');
        const lessMotion = matchMedia('(prefers-reduced-motion: reduce)');

        """#

    static let items = #"""
        // Items. The files data/1.js, data/2.js… call gallery.add; the first is in the page, the others are
        // loaded when their part of the grid comes near, or all of them to search and to sort.
        const items = new Array(itemCount);
        const dataFiles = new Map();
        function dataFile(number) {
          if (!dataFiles.has(number)) {
            const file = {isAsked: number === 1};
            file.arrival = new Promise(resolve => { file.didArrive = resolve; });
            dataFiles.set(number, file);
          }
          return dataFiles.get(number);
        }
        window.gallery = {
          add(number, list) {
            list.forEach((item, place) => { items[(number - 1) * partSize + place] = item; });
            dataFile(number).didArrive();
          },
        };
        function load(number) {
          const file = dataFile(number);
          if (!file.isAsked) {
            file.isAsked = true;
            const script = make('script', {src: `data/${number}.js?${version}`});
            script.onload = () => script.remove();
            script.onerror = file.didArrive;
            document.head.append(script);
          }
          return file.arrival;
        }
        const loadAll = () =>
          Promise.all(Array.from({length: Math.ceil(itemCount / partSize)}, (_, k) => load(k + 1)));

        const path = (item, name) => `items/${item.id}/${encodeURIComponent(name)}?${item.v}`;
        function clock(ms) {
          const seconds = Math.floor(ms / 1000), two = n => String(n).padStart(2, '0');
          const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
          return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
        }
        const length = ms => ms < 10000 ? `${(ms / 1000).toFixed(1)} s` : clock(ms);
        function size(bytes) {
          const [unit, name] = bytes < 1e6 ? [1e3, 'kB'] : bytes < 1e9 ? [1e6, 'MB'] : [1e9, 'GB'];
          const value = bytes / unit;
          return `${value.toFixed(value < 10 ? 1 : 0)} ${name}`;
        }
        const tileTime = (item, tile) => item.ms * tile / item.sheet[0];

        """#

    static let placeholders = #"""
        // Placeholders: ThumbHash, by Evan Wallace (MIT license), https://evanw.github.io/thumbhash/
        function hashBytes(text) { return Uint8Array.from(atob(text), c => c.charCodeAt(0)); }
        function hashHeader(hash) {
          const head = hash[0] | hash[1] << 8 | hash[2] << 16, tail = hash[3] | hash[4] << 8;
          return {
            l: (head & 63) / 63, p: (head >> 6 & 63) / 31.5 - 1, q: (head >> 12 & 63) / 31.5 - 1,
            lScale: (head >> 18 & 31) / 31, hasAlpha: head >> 23, pScale: (tail >> 3 & 63) / 63,
            qScale: (tail >> 9 & 63) / 63, isWide: tail >> 15, short: tail & 7,
            a: head >> 23 ? (hash[5] & 15) / 15 : 1,
          };
        }
        function rgb(l, p, q) {
          const b = l - 2 / 3 * p, r = (3 * l - b + q) / 2;
          return [r, r - q, b].map(value => Math.round(255 * Math.max(0, Math.min(1, value))));
        }
        function averageColor(text) {
          const {l, p, q, a} = hashHeader(hashBytes(text));
          return `rgb(${rgb(l, p, q)} / ${a})`.replaceAll(',', ' ');
        }
        function drawPlaceholder(canvas, text, ratio) {
          const hash = hashBytes(text), head = hashHeader(hash), long = head.hasAlpha ? 5 : 7;
          const nx = Math.max(3, head.isWide ? long : head.short), ny = Math.max(3, head.isWide ? head.short : long);
          let nibble = head.hasAlpha ? 12 : 10;
          const channel = (columns, rows, scale) => {
            const terms = [];
            for (let y = 0; y < rows; y++)
              for (let x = y ? 0 : 1; x * rows < columns * (rows - y); x++, nibble++)
                terms.push([x, y, ((hash[nibble >> 1] >> (nibble & 1) * 4 & 15) / 7.5 - 1) * scale]);
            return terms;
          };
          const light = channel(nx, ny, head.lScale), p = channel(3, 3, head.pScale * 1.25);
          const q = channel(3, 3, head.qScale * 1.25), a = head.hasAlpha ? channel(5, 5, (hash[5] >> 4) / 15) : [];
          const w = canvas.width = Math.max(1, Math.round(ratio > 1 ? 32 : 32 * ratio));
          const h = canvas.height = Math.max(1, Math.round(ratio > 1 ? 32 / ratio : 32));
          const context = canvas.getContext('2d'), image = context.createImageData(w, h);
          const waves = n => Array.from({length: n}, (_, at) =>
            Array.from({length: 7}, (_, k) => Math.cos(Math.PI / n * (at + .5) * k)));
          const fx = waves(w), fy = waves(h);
          // Rows of a channel first: sums over y for each frequency of x.
          const draw = (start, terms) => {
            const values = new Float64Array(w * h);
            for (let y = 0; y < h; y++) {
              const row = new Float64Array(7);
              for (const [u, v, f] of terms) row[u] += f * fy[y][v] * 2;
              for (let x = 0; x < w; x++) {
                let value = start;
                for (let u = 0; u < 7; u++) value += row[u] * fx[x][u];
                values[y * w + x] = value;
              }
            }
            return values;
          };
          const [ls, ps, qs, as] = [draw(head.l, light), draw(head.p, p), draw(head.q, q), draw(head.a, a)];
          for (let at = 0; at < w * h; at++) {
            image.data.set(rgb(ls[at], ps[at], qs[at]), at * 4);
            image.data[at * 4 + 3] = 255 * Math.max(0, Math.min(1, as[at]));
          }
          context.putImageData(image, 0, 0);
        }

        """#
}
