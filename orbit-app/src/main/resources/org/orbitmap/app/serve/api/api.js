// Requests to the server this page came from. Errors carry the server's own words.

async function check(response) {
  if (response.ok) return response;
  let text = `the server answered ${response.status}`;
  try {
    text = (await response.json()).error || text;
  } catch {
    // no JSON: keep the status
  }
  throw new Error(text);
}

const query = (values) => new URLSearchParams(values).toString();

export async function get(path) {
  return (await check(await fetch(path))).json();
}

export async function getFloats(path) {
  return new Float32Array(await (await check(await fetch(path))).arrayBuffer());
}

export async function post(path, values, body, type = 'application/octet-stream', accept = 'application/json') {
  const headers = { 'Content-Type': type, Accept: accept };
  return check(await fetch(`${path}?${query(values)}`, { method: 'POST', headers, body }));
}

/** Server-sent events of a POST: calls on(event, data) for each. */
export async function stream(path, values, body, type, on, signal) {
  const headers = { 'Content-Type': type, Accept: 'text/event-stream' };
  const response = await check(await fetch(`${path}?${query(values)}`, { method: 'POST', headers, body, signal }));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    let end;
    while ((end = text.indexOf('\n\n')) >= 0) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const event = /^event: (.*)$/m.exec(block)[1];
      const data = JSON.parse(/^data: (.*)$/m.exec(block)[1]);
      if (event === 'error') throw new Error(data.error);
      on(event, data);
    }
  }
}

/** Runs the newest request only: while one is under way, later ones replace each other. */
export function latest(work, failed) {
  let busy = false;
  let next = null;
  return async function run(...args) {
    next = args;
    if (busy) return;
    busy = true;
    while (next) {
      const now = next;
      next = null;
      try {
        await work(...now);
      } catch (e) {
        failed(e);
      }
    }
    busy = false;
  };
}

const problem = document.getElementById('problem');

export function fail(e) {
  if (e.name === 'AbortError') return;
  problem.textContent = e.message;
  problem.hidden = false;
}

export function clear() {
  problem.hidden = true;
}

/** A place to drop a file, with its button: take(first, all). */
export function dropzone(zone, input, take) {
  const one = (files) => {
    if (files.length) take(files[0], Array.from(files));
  };
  input.addEventListener('change', () => {
    one(input.files);
    input.value = '';
  });
  zone.addEventListener('dragover', (e) => {
    e.preventDefault();
    zone.classList.add('over');
  });
  zone.addEventListener('dragleave', () => zone.classList.remove('over'));
  zone.addEventListener('drop', (e) => {
    e.preventDefault();
    zone.classList.remove('over');
    one(e.dataTransfer.files);
  });
}

/** Radio buttons: click or arrow keys. */
export function radios(group, items, choose) {
  const buttons = items.map(({ label, content }, i) => {
    const b = document.createElement('button');
    b.type = 'button';
    b.setAttribute('role', 'radio');
    b.setAttribute('aria-label', label);
    b.title = label;
    b.append(content);
    b.addEventListener('click', () => select(i));
    b.addEventListener('keydown', (e) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
      if (step) {
        e.preventDefault();
        const to = (i + step + items.length) % items.length;
        buttons[to].focus();
        select(to);
      }
    });
    return b;
  });
  const mark = (chosen) =>
    buttons.forEach((b, i) => {
      b.setAttribute('aria-checked', String(i === chosen));
      b.tabIndex = i === Math.max(0, chosen) ? 0 : -1;
    });
  const select = (i) => {
    mark(i);
    choose(i);
  };
  group.replaceChildren(...buttons);
  mark(-1);
  return { select, mark };
}

export function options(select, values, labels = values) {
  select.replaceChildren(...values.map((v, i) => new Option(labels[i], v)));
}

/** The bytes in a data: address. */
export function blob(address) {
  const [head, data] = address.split(',');
  const type = /^data:([^;]*)/.exec(head)[1];
  return new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], { type });
}
