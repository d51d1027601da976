extension PageAssets {
    static let controls = #"""
        // Search, sort, and whether previews move.
        const plain = text => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
        const byName = new Intl.Collator(undefined, {numeric: true, sensitivity: 'base'}).compare;
        const orders = {
          name: (a, b) => byName(a.name, b.name), new: (a, b) => b.date - a.date, old: (a, b) => a.date - b.date,
          long: (a, b) => b.ms - a.ms, short: (a, b) => a.ms - b.ms, large: (a, b) => b.bytes - a.bytes,
        };
        const say = () => {
          const all = itemCount.toLocaleString(), found = shownCount().toLocaleString();
          $('status').textContent = view && view.length !== itemCount
            ? `${found} of ${all} items` : `${all} ${itemCount === 1 ? 'item' : 'items'}`;
        };
        async function choose() {
          const words = plain($('search').value).split(/\s+/).filter(Boolean);
          const [kind, order] = [$('kind').value, orders[$('sort').value]];
          if (!words.length && !kind && !order) {
            view = null;
          } else {
            $('status').textContent = 'Searching…';
            await loadAll();
            view = [];
            items.forEach((item, number) => {
              if (!item || kind && item.kind !== kind) return;
              item.text ??= plain(`${item.name} ${item.folder} ${item.format}`);
              if (words.every(word => item.text.includes(word))) view.push(number);
            });
            if (order) view.sort((a, b) => order(items[a], items[b]) || a - b);
          }
          render();
          say();
          scrollTo(0, 0);
          if (!shownCount()) grid.append(make('p', {className: 'message', textContent: 'Nothing was found.'}));
        }
        let typing;
        $('search').addEventListener('input', () => {
          clearTimeout(typing);
          typing = setTimeout(choose, 150);
        });
        $('kind').addEventListener('change', choose);
        $('sort').addEventListener('change', choose);

        // Pages of files have no storage in some browsers.
        const remembered = {
          get: () => { try { return localStorage.getItem('previews'); } catch { return null; } },
          set: value => { try { localStorage.setItem('previews', value); } catch { /* Only this visit. */ } },
        };
        function setMoves() {
          const moves = remembered.get() ?? (lessMotion.matches ? 'off' : 'on');
          $('moves').setAttribute('aria-pressed', moves === 'on');
          if (moves !== 'on' && watched) stopMoving();
        }
        $('moves').addEventListener('click', () => {
          remembered.set(previewsMove() ? 'off' : 'on');
          setMoves();
        });
        lessMotion.addEventListener('change', setMoves);

        // A reload keeps what was typed.
        setMoves();
        if ($('search').value || $('kind').value || $('sort').value) choose(); else render();
        say();
        followAddress();
        })();

        """#
}
