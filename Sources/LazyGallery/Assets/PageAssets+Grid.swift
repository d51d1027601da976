extension PageAssets {
    static let cards = #"""
        // Cards. A poster is loaded when its card is on the screen, after the first scrolling a little before.
        const template = $('card').content.firstElementChild;
        function note(item) {
          const parts = [item.format, `${item.width} × ${item.height}`, size(item.bytes)];
          return (item.folder ? [item.folder, ...parts] : parts).join(' · ');
        }
        function makeCard(item, place) {
          const card = template.cloneNode(true), find = query => card.querySelector(query);
          card.item = item;
          card.place = place;
          card.style.setProperty('--ratio', item.width / item.height);
          card.classList.toggle('small', Math.max(item.width, item.height) <= 128);
          card.setAttribute('aria-posinset', place + 1);
          card.setAttribute('aria-setsize', shownCount());
          find('.open').href = path(item, item.media ?? `poster-${item.posters.at(-1)}.${pictureTypes.at(-1)}`);
          find('bdi').textContent = item.name;
          find('.name').title = item.name;
          find('.note').textContent = note(item);
          find('.length').textContent = item.ms ? length(item.ms) : '';
          find('canvas').style.backgroundColor = averageColor(item.hash);
          return card;
        }
        function showPoster(card) {
          const {item} = card, stage = card.querySelector('.stage'), ratio = item.width / item.height;
          stage.firstElementChild.style.backgroundColor = '';
          drawPlaceholder(stage.firstElementChild, item.hash, ratio);
          const sizes = `${Math.ceil(Math.min(stageWidth, stageWidth * .75 * ratio))}px`;
          const name = (width, type) => path(item, `poster-${width}.${type}`);
          const srcset = type => item.posters.map(width => `${name(width, type)} ${width}w`).join(', ');
          const picture = make('picture');
          for (const type of pictureTypes.slice(0, -1))
            picture.append(make('source', {type: `image/${type.replace('jpg', 'jpeg')}`, sizes, srcset: srcset(type)}));
          const last = pictureTypes.at(-1);
          const image = make('img', {
            className: 'fit', alt: '', decoding: 'async', width: item.width, height: item.height,
            onload() { card.classList.add('shown'); },
          });
          picture.append(image);
          Object.assign(image, {sizes, srcset: srcset(last), src: name(item.posters[0], last)});
          stage.firstElementChild.after(picture);
        }
        let posters, stageWidth = 320;
        function watchPosters(rootMargin) {
          posters?.disconnect();
          posters = new IntersectionObserver(entries => {
            if (entries.length) stageWidth = entries[0].boundingClientRect.width || stageWidth;
            for (const {isIntersecting, target} of entries) {
              if (!isIntersecting) continue;
              posters.unobserve(target);
              showPoster(target);
            }
          }, {rootMargin});
          for (const card of grid.querySelectorAll('.item:not(:has(picture))')) posters.observe(card);
        }
        watchPosters('0px');
        addEventListener('scroll', () => watchPosters('40% 0px'), {once: true, passive: true});

        """#

    static let grid = #"""
        // The grid: parts of equal size and known height, filled when they come near the screen.
        let view = null;  // The numbers of the items in order, or null for all of them in theirs.
        const shownCount = () => view ? view.length : itemCount;
        const itemAt = place => items[view ? view[place] : place];
        const near = new IntersectionObserver(entries => {
          for (const {isIntersecting, target} of entries) if (isIntersecting) fill(target);
        }, {rootMargin: '60% 0px'});
        // A dozen cards at a time: the page stays responsive while it scrolls.
        const pause = () => new Promise(resolve => setTimeout(resolve));
        const fill = part => part.filling ??= fillIn(part);
        async function fillIn(part) {
          near.unobserve(part);
          if (!view) await load(part.first / partSize + 1);
          part.setAttribute('role', 'list');
          part.removeAttribute('aria-busy');
          const end = part.first + part.size;
          for (let first = part.first; first < end && part.isConnected; first += 12) {
            const cards = [];
            for (let place = first; place < Math.min(end, first + 12); place++)
              if (itemAt(place)) cards.push(makeCard(itemAt(place), place));
            part.append(...cards);
            for (const card of cards) posters.observe(card);
            await pause();
          }
        }
        function render() {
          near.disconnect();
          stopWatching();
          const parts = [];
          for (let first = 0; first < shownCount(); first += partSize) {
            const part = make('ul', {className: 'items', ariaBusy: 'true'});
            part.first = first;
            part.size = Math.min(partSize, shownCount() - first);
            part.style.setProperty('--count', part.size);
            parts.push(part);
          }
          grid.replaceChildren(...parts);
          for (const part of parts) near.observe(part);
        }
        async function card(place) {
          const part = grid.children[Math.floor(place / partSize)];
          if (part) await fill(part);
          return part?.children[place - part.first];
        }
        // Arrow keys, Home and End move between cards.
        grid.addEventListener('keydown', async event => {
          const from = event.target.closest('.open')?.parentElement;
          if (!from || event.altKey || event.ctrlKey || event.metaKey) return;
          const columns = Number(getComputedStyle(grid).getPropertyValue('--columns'));
          const last = shownCount() - 1;
          const to = {
            ArrowRight: from.place + 1, ArrowLeft: from.place - 1, ArrowDown: from.place + columns,
            ArrowUp: from.place - columns, Home: 0, End: last,
          }[event.key];
          if (to === undefined) return;
          event.preventDefault();
          if (to < 0 || to > last) return;
          (await card(to))?.querySelector('.open').focus();
        });

        """#
}
