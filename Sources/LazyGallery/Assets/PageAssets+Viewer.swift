extension PageAssets {
    static let viewer = #"""
        // The viewer: the file itself, played as often as it says.
        const viewer = $('viewer'), screen = $('screen');
        let open = null;  // {place, item, player, played}
        let isPushed = false;

        async function show(place) {
          await loadAround(place);
          const item = itemAt(place);
          if (!item) return;
          stopWatching();
          open = {place, item, played: 0};
          $('viewer-name').textContent = item.name;
          $('place').textContent = `${place + 1} of ${shownCount()}`;
          $('previous').disabled = place === 0;
          $('next').disabled = place === shownCount() - 1;
          fillFacts(item);
          linkFile(item);
          const address = `#${item.id}`;
          if (viewer.open) history.replaceState(null, '', address);
          else if (location.hash !== address) {
            history.pushState(null, '', address);
            isPushed = true;
          }
          if (!viewer.open) viewer.showModal();
          play(true);
        }
        const loadAround = place => view ? null : load(Math.floor(place / partSize) + 1);

        function play(isPlaying) {
          const {item} = open;
          const poster = posterOf(item);
          const hadFocus = screen.contains(document.activeElement);
          screen.replaceChildren();
          if (hadFocus) screen.focus();  // Keys go on to the viewer.
          screen.style.setProperty('--ratio', item.width / item.height);
          screen.style.setProperty('--width', `${item.width}px`);
          $('play').hidden = item.kind !== 'animation' || !item.media;
          $('play').textContent = isPlaying ? 'Pause' : 'Play';
          if (item.kind === 'film' && item.media) {
            const video = make('video', {
              src: path(item, item.media), poster, controls: true, playsInline: true, loop: item.plays === 0,
              ariaLabel: item.name,
              onended() { if (open?.player === video && ++open.played < item.plays) video.play(); },
              onerror() { tell(video, filmProblem(video)); },
              onloadedmetadata() {
                if (!video.videoWidth) tell(video, 'This browser cannot show the pictures of this film: it does not know their codec.');
              },
            });
            open.player = video;
            screen.append(video);
            video.play().catch(() => {});
          } else {
            // A new element begins at the first frame.
            const isShown = isPlaying && item.media;
            open.player = make('img', {
              className: 'fit', alt: item.name, width: item.width, height: item.height,
              src: isShown ? path(item, item.media) : poster,
              onerror() {
                if (isShown) tell(this, `This browser cannot show this file: it is damaged, or ${item.format} is not supported.`);
              },
            });
            screen.append(open.player);
          }
          open.isPlaying = isPlaying;
        }
        // Why a film stops: one that has shown nothing was refused, another is damaged where it is.
        function filmProblem({error, currentTime, videoWidth}) {
          if (error?.code === MediaError.MEDIA_ERR_NETWORK) return 'The film could not be loaded.';
          if (videoWidth && error?.code === MediaError.MEDIA_ERR_DECODE)
            return `This film is damaged: it cannot be played after ${currentTime.toFixed(1)} s.`;
          return 'This browser cannot play this film: it is damaged, or its codec is not supported.';
        }
        // Says why a player does not play; the poster takes its place unless it has shown a frame.
        function tell(player, text) {
          if (open?.player !== player) return;
          const {item} = open;
          if (!player.videoWidth) {
            open.player = make('img', {
              className: 'fit', alt: item.name, width: item.width, height: item.height, src: posterOf(item),
            });
            player.replaceWith(open.player);
          }
          screen.querySelector('.problem')?.remove();
          const problem = make('p', {className: 'problem', textContent: text});
          problem.setAttribute('role', 'alert');
          screen.append(problem);
        }
        const posterOf = item => path(item, `poster-${item.posters.at(-1)}.${pictureTypes.at(-1)}`);
        function toggle() {
          const {player, item} = open;
          if (player instanceof HTMLVideoElement) player.paused ? player.play() : player.pause();
          else if (item.kind === 'animation') play(!open.isPlaying);
        }
        function step(frames) {
          const {player, item} = open;
          if (!(player instanceof HTMLVideoElement)) return;
          player.pause();
          player.currentTime = Math.max(0, player.currentTime + frames * item.ms / 1000 / Math.max(1, item.frames));
        }
        function changeSpeed(factor) {
          const {player} = open;
          if (player instanceof HTMLVideoElement)
            player.playbackRate = Math.min(4, Math.max(.25, player.playbackRate * factor));
        }
        function fillFacts(item) {
          const rate = item.ms ? item.frames / item.ms * 1000 : 0;
          const facts = {
            File: item.name, Folder: item.folder, Format: item.format, Size: `${item.width} × ${item.height}`,
            Length: item.ms ? `${(item.ms / 1000).toFixed(2)} s, ${item.frames} frames, ${rate.toFixed(2)} per second` : '',
            Plays: item.ms ? item.plays ? `${item.plays} times` : 'forever' : '',
            Bytes: `${item.bytes.toLocaleString()} (${size(item.bytes)})`,
            Changed: new Date(item.date * 1000).toLocaleString(),
          };
          const list = $('facts');
          list.replaceChildren();
          for (const [name, text] of Object.entries(facts))
            if (text) list.append(make('dt', {textContent: name}), make('dd', {textContent: text}));
        }
        // The file that is played, by its own name where it was not converted to another type.
        function linkFile(item) {
          const link = $('file');
          link.hidden = !item.media;
          if (!item.media) return;
          const ending = item.media.slice(item.media.lastIndexOf('.')), name = item.name;
          link.href = path(item, item.media);
          link.download = name.toLowerCase().endsWith(ending) ? name : name.replace(/(.)\.[^.]*$/, '$1') + ending;
        }
        function toggleFacts() {
          const list = $('facts');
          list.hidden = !list.hidden;
          $('information').setAttribute('aria-expanded', !list.hidden);
        }
        async function didClose() {
          screen.replaceChildren();
          const {place} = open;
          open = null;
          if (isPushed) history.back(); else if (location.hash) history.replaceState(null, '', location.pathname + location.search);
          isPushed = false;
          const link = (await card(place))?.querySelector('.open');
          // Somebody may be typing by now.
          if (!document.activeElement?.matches('input, select')) link?.focus();
        }
        viewer.addEventListener('close', didClose);
        $('close').addEventListener('click', () => viewer.close());
        $('previous').addEventListener('click', () => show(open.place - 1));
        $('next').addEventListener('click', () => show(open.place + 1));
        $('play').addEventListener('click', toggle);
        $('information').addEventListener('click', toggleFacts);
        grid.addEventListener('click', event => {
          const link = event.target.closest('.open');
          if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          show(link.parentElement.place);
        });
        // The list of keys, over the items and over the viewer.
        const keys = $('keys');
        $('show-keys').addEventListener('click', () => keys.showModal());
        $('hide-keys').addEventListener('click', () => keys.close());
        addEventListener('keydown', event => {
          if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches?.('input[type=search], select')) return;
          if (event.key === '?') keys.open ? keys.close() : keys.showModal();
          else if (event.key === '/' && !viewer.open && !keys.open) $('search').focus();
          else return;
          event.preventDefault();
        });
        viewer.addEventListener('keydown', event => {
          if (event.altKey || event.ctrlKey || event.metaKey) return;
          const go = place => { if (place >= 0 && place < shownCount()) show(place); };
          // Buttons take Space, and the browser's own controls of a film take their keys.
          const isOnControl = event.target instanceof HTMLButtonElement || event.target instanceof HTMLVideoElement;
          const action = {
            ' ': isOnControl ? null : toggle, k: toggle, ',': () => step(-1), '.': () => step(1),
            '[': () => changeSpeed(.8), ']': () => changeSpeed(1.25), i: toggleFacts, d: () => $('file').hidden || $('file').click(),
            f: () => screen.requestFullscreen?.(),
            ArrowLeft: () => go(open.place - 1), ArrowRight: () => go(open.place + 1),
            PageUp: () => go(open.place - 1), PageDown: () => go(open.place + 1),
          }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
          if (!action) return;
          event.preventDefault();
          action();
        });
        addEventListener('popstate', () => {
          isPushed = false;
          if (viewer.open && location.hash !== `#${open?.item.id}`) viewer.close();
          else if (!viewer.open) followAddress();
        });
        async function followAddress() {
          const id = location.hash.slice(1);
          if (!id) return;
          await loadAll();
          const number = items.findIndex(item => item?.id === id);
          const place = view ? view.indexOf(number) : number;
          if (place >= 0) show(place);
        }

        """#
}
