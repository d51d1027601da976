extension PageAssets {
    static let preview = #"""
        // The preview of one card at a time: after 150 ms of hovering or focus it moves; the slider shows single
        // frames of the sprite sheet. Nothing is loaded before.
        const dwell = 150;
        let watched = null;  // {card, timer, moving, frame, slider}
        const previewsMove = () => $('moves').getAttribute('aria-pressed') === 'true';

        function watch(card, isFocused) {
          if (watched?.card === card) return;
          stopWatching();
          if (card.item.kind === 'still') return;
          watched = {card};
          if (isFocused) addSlider();
          watched.timer = setTimeout(() => {
            addSlider();
            move();
          }, dwell);
        }
        function stopWatching() {
          if (!watched) return;
          const {card, timer, moving, frame, slider} = watched;
          watched = null;  // First: a focused slider that is removed sends events, which come here again.
          clearTimeout(timer);
          stop(moving);
          frame?.remove();
          card.querySelector('.time')?.remove();
          slider?.remove();
          card.classList.remove('watched');
        }
        async function move() {
          const {card} = watched, {item} = card;
          if (!previewsMove() || watched.moving || watched.frame) return;
          if (item.preview) {
            const image = make('img', {className: 'fit preview', alt: '', src: path(item, 'preview.webp')});
            watched.moving = image;
            const isLoaded = await image.decode().then(() => true, () => false);
            if (isLoaded && watched?.moving === image && !watched.frame) card.querySelector('.stage').append(image);
          } else if (item.sheet) {
            let tile = 0;
            watched.moving = setInterval(() => showTile(tile++ % item.sheet[0]), Math.max(150, item.ms / item.sheet[0] / 4));
          }
        }
        function stop(moving) {
          if (moving instanceof Element) moving.remove(); else clearInterval(moving);
        }
        function stopMoving() {
          stop(watched.moving);
          watched.moving = null;
        }
        function addSlider() {
          const {card} = watched, {item} = card;
          if (watched.slider || !item.sheet) return;
          const slider = make('input', {type: 'range', className: 'scrub', min: 0, max: item.sheet[0] - 1, value: 0});
          slider.setAttribute('aria-label', `Frames of ${item.name}`);
          slider.setAttribute('aria-valuetext', `0.0 s of ${length(item.ms)}`);
          slider.addEventListener('input', () => scrub(Number(slider.value)));
          slider.addEventListener('pointermove', event => {
            if (!event.buttons) scrubTo(event.clientX, slider);  // With a button the browser moves the slider.
          });
          slider.addEventListener('pointerleave', () => {
            if (!watched || document.activeElement === slider) return;
            watched.frame?.remove();
            watched.frame = null;
            card.querySelector('.time')?.remove();
            move();
          });
          card.append(slider);
          card.classList.add('watched');
          watched.slider = slider;
        }
        function scrubTo(x, element) {
          const {left, width} = element.getBoundingClientRect(), [count] = watched.card.item.sheet;
          const tile = Math.min(count - 1, Math.max(0, Math.floor((x - left) / width * count)));
          watched.slider.value = tile;
          scrub(tile);
        }
        function scrub(tile) {
          stopMoving();
          showTile(tile);
          const {card, slider} = watched, {item} = card, text = `${length(tileTime(item, tile))} of ${length(item.ms)}`;
          slider.setAttribute('aria-valuetext', text);
          let label = card.querySelector('.time');
          if (!label) card.querySelector('.stage').append(label = make('span', {className: 'time'}));
          label.textContent = text;
        }
        function showTile(tile) {
          const {card} = watched, {item} = card, [count, columns] = item.sheet, rows = Math.ceil(count / columns);
          if (!watched.frame) {
            const frame = watched.frame = make('span', {className: 'fit frame'});
            frame.style.backgroundImage = `url("${path(item, 'sheet.webp')}")`;
            frame.style.backgroundSize = `${columns * 100}% ${rows * 100}%`;
            card.querySelector('.stage').append(frame);
            // Until its picture is there the poster stays.
            make('img', {src: path(item, 'sheet.webp')}).decode().then(() => frame.classList.add('loaded'), () => {});
          }
          const share = (place, all) => all > 1 ? place / (all - 1) * 100 : 0;
          watched.frame.dataset.tile = tile;
          watched.frame.style.backgroundPosition =
            `${share(tile % columns, columns)}% ${share(Math.floor(tile / columns), rows)}%`;
        }

        const cardOf = target => target instanceof Element ? target.closest('.item') : null;
        grid.addEventListener('pointerover', event => {
          const card = cardOf(event.target);
          if (card && event.pointerType !== 'touch') watch(card, false);
        });
        grid.addEventListener('pointerout', event => {
          if (watched && cardOf(event.relatedTarget) !== watched.card && !watched.card.contains(document.activeElement))
            stopWatching();
        });
        // A finger that moves sideways over a card scrubs; up and down it scrolls, and a tap opens.
        let finger = null;
        grid.addEventListener('pointerdown', event => {
          const card = cardOf(event.target);
          finger = card?.item.sheet && event.pointerType === 'touch' ? {card, x: event.clientX} : null;
        });
        grid.addEventListener('pointermove', event => {
          if (!finger || watched?.card !== finger.card && Math.abs(event.clientX - finger.x) < 12) return;
          watch(finger.card, true);
          scrubTo(event.clientX, finger.card);
        });
        for (const type of ['pointerup', 'pointercancel'])
          grid.addEventListener(type, () => {
            if (finger) stopWatching();
            finger = null;
          });
        grid.addEventListener('focusin', event => {
          const card = cardOf(event.target);
          if (card && event.target.matches(':focus-visible')) watch(card, true);
        });
        grid.addEventListener('focusout', event => {
          if (watched && cardOf(event.relatedTarget) !== watched.card && !watched.card.matches(':hover')) stopWatching();
        });
        grid.addEventListener('keydown', event => {
          if (event.key !== 'Escape' || !watched) return;
          const {card, slider} = watched;
          if (document.activeElement === slider) card.querySelector('.open').focus();
          stopWatching();
        });

        """#
}
