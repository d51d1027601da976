extension PageAssets {
    /// `gallery.css`.
    static let style = #"""
        /* A part of the grid has 60 items: the numbers of columns divide it. */
        :root {
          --columns: 2; --gap: .75rem; --caption: 3.25rem;
          --paper: #fff; --ink: #1a1a1a; --dim: #595959; --stage: #e8e8ea; --line: #767676; --mark: #1d4ed8;
          color-scheme: light dark;
          font: 16px/1.4 system-ui, sans-serif;
          scroll-padding-top: 6rem;
        }
        @media (min-width: 40rem) { :root { --columns: 3; } }
        @media (min-width: 60rem) { :root { --columns: 4; } }
        @media (min-width: 130rem) { :root { --columns: 5; } }
        @media (min-width: 200rem) { :root { --columns: 10; } }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #141416; --ink: #ececec; --dim: #b0b0b4; --stage: #2a2a2e; --line: #8a8a90; --mark: #8ab4ff;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--paper); color: var(--ink); }
        header {
          position: sticky; top: 0; z-index: 3; background: var(--paper); border-bottom: 1px solid var(--stage);
          display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; padding: .5rem 1rem;
        }
        @media (max-width: 40rem), (max-height: 30rem) { header { position: static; } }
        h1 { font-size: 1.25rem; margin: 0 auto 0 0; overflow-wrap: anywhere; }
        header p { margin: 0; min-width: 10rem; color: var(--dim); font-size: .875rem; text-align: right; }
        .controls { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; font-size: .875rem; }
        /* On a phone: two rows, of which the second has no labels but for those who hear the page. */
        @media (max-width: 40rem) {
          h1 { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; flex: 1; min-width: 0; }
          header p { min-width: 0; }
          .controls { order: 2; width: 100%; flex-wrap: nowrap; gap: .5rem; }
          .controls span { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; white-space: nowrap; }
          .controls label:first-child { flex: 1; min-width: 0; }
          .controls input[type=search] { width: 100%; }
          .controls select { max-width: 5rem; }
        }
        input[type=search] { width: 11rem; max-width: 100%; }
        input[type=search], select, button {
          font: inherit; color: inherit; background: transparent; border: 1px solid var(--line);
          border-radius: .375rem; padding: .25rem .5rem; min-height: 2rem;
        }
        option { background: var(--paper); color: var(--ink); }
        button { cursor: pointer; }
        button[aria-pressed=true], button[aria-expanded=true] { background: var(--mark); border-color: var(--mark); color: var(--paper); }
        :focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
        footer, .message { padding: 1rem; color: var(--dim); font-size: .875rem; max-width: 60rem; }

        /* The height of each part follows from its items, so that nothing moves when they arrive. */
        main { container-type: inline-size; margin: var(--gap); min-height: 100vh; }
        .items {
          --cell: calc((100cqi - (var(--columns) - 1) * var(--gap)) / var(--columns));
          --row: calc(var(--cell) * .75 + var(--caption) + var(--gap));
          list-style: none; margin: 0; padding: 0; content-visibility: auto;
          block-size: calc(round(up, var(--count) / var(--columns), 1) * var(--row));
          display: grid; gap: 0 var(--gap); grid-template-columns: repeat(var(--columns), minmax(0, 1fr));
          grid-auto-rows: var(--row);
        }
        .item { position: relative; min-width: 0; content-visibility: auto; overflow-clip-margin: .5rem; }
        .open { display: block; color: inherit; text-decoration: none; border-radius: .5rem; touch-action: pan-y pinch-zoom; }
        .stage {
          display: grid; grid: 100% / 100%; aspect-ratio: 4 / 3; position: relative;
          background: var(--stage); border-radius: .5rem; overflow: hidden;
        }
        .fit {
          grid-area: 1 / 1; place-self: center; display: block; object-fit: cover; aspect-ratio: var(--ratio);
          width: min(var(--cell), var(--cell) * .75 * var(--ratio)); height: auto; background-repeat: no-repeat;
        }
        .stage picture { display: contents; }
        .shown canvas { visibility: hidden; }
        /* One picture at a time: transparent ones would show those below. */
        .stage:has(.preview, .frame.loaded) :is(canvas, picture img) { visibility: hidden; }
        .small img { image-rendering: pixelated; }
        .length {
          position: absolute; right: .375rem; bottom: .375rem; padding: 0 .375rem; border-radius: .25rem;
          background: #000c; color: #fff; font-size: .8125rem; font-variant-numeric: tabular-nums;
        }
        .length:empty, .watched .length { display: none; }
        .name, .note { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .name { margin-top: .25rem; font-size: .9375rem; }
        .note { color: var(--dim); font-size: .8125rem; }
        .scrub {
          position: absolute; left: .5rem; width: calc(100% - 1rem); height: 1.75rem; margin: 0; z-index: 1;
          top: calc(var(--cell) * .75 - 2rem); cursor: ew-resize; accent-color: var(--mark);
        }
        .time {
          position: absolute; left: .375rem; top: .375rem; padding: 0 .375rem; border-radius: .25rem;
          background: #000c; color: #fff; font-size: .8125rem; font-variant-numeric: tabular-nums;
        }

        #viewer {
          width: 100vw; height: 100vh; height: 100dvh; max-width: none; max-height: none; border: 0; margin: 0;
          padding: .5rem;
        }
        dialog { background: var(--paper); color: var(--ink); }
        #viewer[open] { display: flex; flex-direction: column; gap: .5rem; }
        dialog::backdrop { background: #000; }
        .bar { display: flex; align-items: center; gap: .5rem; justify-content: center; }
        .bar h2 { font-size: 1rem; margin: 0 auto 0 0; overflow-wrap: anywhere; }
        #place { color: var(--dim); font-size: .875rem; min-width: 7rem; text-align: center; }
        #screen { flex: 1; min-height: 0; display: grid; grid: 100% / 100%; container-type: size; }
        #screen:focus { outline: none; }
        #screen video { width: 100%; height: 100%; grid-area: 1 / 1; min-height: 0; }
        #screen .problem {
          grid-area: 1 / 1; place-self: end center; z-index: 1; margin: .5rem; padding: .5rem 1rem; border-radius: .375rem;
          background: #000c; color: #fff;
        }
        #screen img { width: min(100cqi, 100cqb * var(--ratio)); max-width: calc(var(--width) * 4); }
        #file { border: 1px solid var(--line); border-radius: .375rem; padding: .25rem .5rem; color: inherit; text-decoration: none; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .125rem 1rem; }
        dl[hidden], #file[hidden] { display: none; }
        dt { color: var(--dim); }
        dd { margin: 0; overflow-wrap: anywhere; }
        #facts { margin: 0 auto; max-height: 40vh; overflow: auto; }
        #keys { border: 1px solid var(--line); border-radius: .5rem; max-width: min(40rem, 100vw - 2rem); }
        #keys::backdrop { background: #0008; }
        #keys h3 { font-size: .875rem; margin: 1rem 0 0; }
        #keys dl { margin: .25rem 0 0; grid-template-columns: minmax(max-content, 40%) 1fr; }
        @media (max-width: 40rem) { #keys dl { grid-template-columns: 40% 1fr; } }

        """#
}
