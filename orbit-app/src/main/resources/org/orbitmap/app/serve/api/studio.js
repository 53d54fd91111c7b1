import { get, fail } from './api.js';
import { start as image } from './image.js';

const tabs = [...document.querySelectorAll('[role="tab"]')];
const opened = new Set();
let studio;

async function open(tab, focus) {
  for (const t of tabs) {
    const on = t === tab;
    t.setAttribute('aria-selected', String(on));
    t.tabIndex = on ? 0 : -1;
    document.getElementById(t.getAttribute('aria-controls')).hidden = !on;
  }
  if (focus) tab.focus();
  const name = tab.getAttribute('aria-controls');
  history.replaceState(null, '', name === 'image' ? '/' : `#${name}`);
  if (opened.has(name) || !studio) return;
  opened.add(name);
  if (name === 'image') image(studio);
  else (await import(`./${name}.js`)).start(studio);
}

tabs.forEach((tab, i) => {
  tab.addEventListener('click', () => open(tab).catch(fail));
  tab.addEventListener('keydown', (e) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (step) open(tabs[(i + step + tabs.length) % tabs.length], true).catch(fail);
  });
});

// A file that misses its place must not replace the page.
for (const kind of ['dragover', 'drop']) addEventListener(kind, (e) => e.preventDefault());

try {
  studio = await get('api/studio');
  document.getElementById('version').textContent = `Orbit ${studio.version}`;
  const named = () => tabs.find((t) => `#${t.getAttribute('aria-controls')}` === location.hash) ?? tabs[0];
  addEventListener('hashchange', () => open(named()).catch(fail));
  await open(named());
} catch (e) {
  fail(e);
}
