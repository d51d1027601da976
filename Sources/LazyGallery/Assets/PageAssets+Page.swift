extension PageAssets {
    /// `index.html`; the values in double braces are escaped by `HTMLTemplate`.
    ///
    /// The policy allows files of the site alone: no inline script or style, no other host.
    static let page = #"""
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self'; media-src 'self'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <meta name="generator" content="lazyimg gallery">
        <title>{{title}}</title>
        <link rel="icon" type="image/svg+xml" href="icon.svg">
        <link rel="stylesheet" href="gallery.css?{{version}}">
        <script defer src="gallery.js?{{version}}"></script>
        <script defer src="data/1.js?{{version}}"></script>
        </head>
        <body data-count="{{count}}" data-chunk="{{chunk}}" data-formats="{{formats}}" data-version="{{version}}">
        <header>
          <h1>{{title}}</h1>
          <div class="controls" role="search">
            <label><span>Search </span><input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false"></label>
            <label><span>Show</span>
              <select id="kind">
                <option value="">everything</option>
                <option value="film">films</option>
                <option value="animation">animations</option>
                <option value="still">pictures</option>
              </select></label>
            <label><span>Sort</span>
              <select id="sort">
                <option value="">by folder</option>
                <option value="name">by name</option>
                <option value="new">newest first</option>
                <option value="old">oldest first</option>
                <option value="long">longest first</option>
                <option value="short">shortest first</option>
                <option value="large">largest first</option>
              </select></label>
            <button id="moves" type="button" aria-pressed="false">Moving<span> previews</span></button>
          </div>
          <p id="status" role="status">{{count}} items</p>
        </header>
        <noscript><p class="message">This page needs JavaScript. The files are in the folder items.</p></noscript>
        <main id="grid" aria-label="Items"></main>
        <footer>
          <button id="show-keys" type="button" aria-keyshortcuts="?">Keys</button>
        </footer>

        <template id="card">
          <li class="item">
            <a class="open" href=".">
              <span class="stage"><canvas class="fit" aria-hidden="true"></canvas><span class="length"></span></span>
              <span class="name"><bdi></bdi></span>
              <span class="note"></span>
            </a>
          </li>
        </template>

        <dialog id="viewer" aria-labelledby="viewer-name">
          <div class="bar">
            <h2 id="viewer-name"></h2>
            <a id="file" hidden>Download</a>
            <button id="information" type="button" aria-expanded="false" aria-controls="facts">Information</button>
            <button id="close" type="button">Close</button>
          </div>
          <div id="screen" tabindex="-1" autofocus></div>
          <dl id="facts" hidden></dl>
          <div class="bar">
            <button id="previous" type="button">Previous</button>
            <button id="play" type="button">Pause</button>
            <span id="place" role="status"></span>
            <button id="next" type="button">Next</button>
          </div>
        </dialog>

        <dialog id="keys" aria-labelledby="keys-name">
          <div class="bar">
            <h2 id="keys-name">Keys</h2>
            <button id="hide-keys" type="button">Close</button>
          </div>
          <h3>Among the items</h3>
          <dl>
            <dt>Arrow keys, Home, End</dt><dd>go from item to item</dd>
            <dt>Enter</dt><dd>opens an item</dd>
            <dt>Tab</dt><dd>reaches the slider for its frames</dd>
            <dt>/</dt><dd>searches</dd>
            <dt>?</dt><dd>shows this list</dd>
          </dl>
          <h3>In an item</h3>
          <dl>
            <dt>Space, K</dt><dd>plays and pauses</dd>
            <dt>, and .</dt><dd>step by frames</dd>
            <dt>[ and ]</dt><dd>change the speed</dd>
            <dt>← and →, Page Up and Page Down</dt><dd>go to the previous and the next item</dd>
            <dt>I</dt><dd>shows information</dd>
            <dt>F</dt><dd>fills the screen</dd>
            <dt>D</dt><dd>downloads the file</dd>
            <dt>Escape</dt><dd>closes the item</dd>
          </dl>
        </dialog>
        </body>
        </html>

        """#

    /// `icon.svg`.
    static let icon = #"""
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
        <rect width="16" height="16" rx="3" fill="#2563eb"/><path d="M6 4.5v7l6-3.500z" fill="#fff"/>
        </svg>

        """#
}
