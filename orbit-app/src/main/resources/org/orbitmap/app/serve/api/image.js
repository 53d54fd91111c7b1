import { post, stream, latest, fail, clear, dropzone, radios, options, blob } from './api.js';
import { svg, bars, fixed, percent, argmax, Polar } from './draw.js';

const $ = (id) => document.getElementById(id);
const STEP = 5;

export function start(studio) {
  const models = studio.models.filter((m) => m.kind === 'images');
  const state = { angle: 0, image: null, label: -1, model: models[0], item: null };
  const polar = new Polar($('p-polar'), 'Probability of the class against the angle');
  let curve = new AbortController();

  options($('p-mapping'), studio.mappings, studio.mappings.map((m) => (m === 'disc' ? 'disc (default)' : m)));
  options($('p-interpolation'), studio.interpolations);
  $('p-interpolation').value = 'bilinear';
  options($('p-model'), models.map((m) => m.name));
  $('p-modelbox').hidden = models.length < 2;
  for (let d = 0; d < 360; d += 15) {
    $('ticks').append(svg('line', { y1: -100, y2: d % 45 ? -104 : -107, transform: `rotate(${-d})` }));
  }

  const settings = () => ({
    model: state.model.name,
    mapping: $('p-mapping').value,
    interpolation: $('p-interpolation').value,
    noise: $('p-noise').value,
  });

  const show = latest(async () => {
    const view = await (await post('api/image', { ...settings(), angle: state.angle, label: state.label }, state.image, 'image/png')).json();
    $('p-input').src = view.input;
    $('p-canonical').src = view.canonical;
    $('p-rotation').textContent = `rotated by ${fixed(view.angleDegrees, 1)}°`;
    showMargin(view);
    const { classes } = state.model;
    // Both are asked about one class: the image's own, or else what the plain model says upright.
    for (const which of ['plain', 'mapped']) {
      const p = view[which];
      const top = argmax(p);
      $(`p-${which}`).textContent = classes[top];
      $(`p-${which}-p`).textContent =
        percent(p[top]) + (top === view.label ? '' : `, “${classes[view.label]}” ${percent(p[view.label])}`);
      $(`p-${which}`).parentElement.classList.toggle('wrong', top !== view.label);
    }
    bars($('p-bars'), classes, view.label, view.plain, view.mapped);
    document.body.dataset.ready = 'image';
    document.body.dataset.after ??= Math.round(performance.now());
  }, fail);

  function showMargin(a) {
    const bound =
      a.certifiedDegrees === null
        ? 'gives no bound: the image is too close to having no direction.'
        : `moves the pose by at most <b></b>.`;
    const what = Number($('p-noise').value) > 0 ? 'noise like this' : 'one grey level on every pixel';
    const p = $('p-facts');
    p.innerHTML = `Margin <b></b>: the smallest change, in the L2 norm, that can make the pose ambiguous. ${what[0].toUpperCase()}${what.slice(1)} (ε = <b></b>) ${bound}`;
    const b = p.querySelectorAll('b');
    b[0].textContent = a.margin.toFixed(2);
    b[1].textContent = a.epsilon.toFixed(2);
    if (b[2]) b[2].textContent = `${a.certifiedDegrees.toFixed(2)}°`;
  }

  async function drawCurve() {
    curve.abort();
    curve = new AbortController();
    polar.clear();
    $('p-curve-note').textContent = 'computing …';
    try {
      await stream('api/curve', { ...settings(), step: STEP, label: state.label }, state.image, 'image/png',
        (event, data) => {
          if (event === 'target') {
            $('p-curve-title').textContent = `Probability of “${state.model.classes[data.label]}” over the whole circle`;
          } else if (event === 'point') {
            polar.add(data.angleDegrees, { plain: data.plain, mapped: data.mapped });
          } else if (event === 'end') {
            polar.close();
            $('p-curve-note').textContent = `${360 / STEP} angles: lowest ${percent(data.plain)} plain, ${percent(data.mapped)} mapped.`;
            document.body.dataset.curve = 'done';
          }
        }, curve.signal);
    } catch (e) {
      fail(e);
    }
  }

  function rotate(degrees) {
    setAngle(degrees);
    show();
  }

  /** Sets the dial; nothing is asked of the server. */
  function setAngle(degrees) {
    state.angle = ((Math.round(degrees) % 360) + 360) % 360;
    $('p-angle').value = state.angle;
    const dial = $('dial');
    dial.setAttribute('aria-valuenow', state.angle);
    dial.setAttribute('aria-valuetext', `${state.angle} degrees`);
    $('knob').setAttribute('transform', `rotate(${-state.angle})`);
    polar.point(state.angle);
  }

  function refresh() {
    clear();
    show();
    drawCurve();
  }

  async function setImage(blob, label) {
    state.image = blob;
    state.label = label;
    refresh();
  }

  const drawings = studio.images.map((p) => ({ name: p.name, label: p.name, src: p.png, read: async () => blob(p.png) }));
  const own = studio.own.map((p, i) => {
    const src = `api/images/${i}`;
    return { name: p.name, label: p.folder, src, read: async () => (await fetch(src)).blob() };
  });
  let strip;

  /** Shows what can be rotated: the visitor's own images, or drawings as long as there are none. */
  function offer() {
    const items = own.length ? own : drawings;
    strip = radios(
      $('p-samples'),
      items.map((item) => {
        const img = new Image();
        img.src = item.src;
        img.alt = '';
        return { label: item.name, content: img };
      }),
      (i) => choose(items[i]).catch(fail));
    strip.mark(items.indexOf(state.item));
    note();
  }

  function note() {
    const strange = !own.length && !drawings.some((d) => state.model.classes.includes(d.label));
    $('p-strange').textContent = strange
      ? `Sample drawings, which ${state.model.name} need not know. Drop your own images to see what it says of them.`
      : '';
  }

  async function choose(item) {
    state.item = item;
    const label = state.model.classes.indexOf(item.label);
    const png = await item.read();
    const { height, width, channels } = state.model;
    const fits = drawings.includes(item) && height === studio.size && width === studio.size && channels === 3;
    if (fits) await setImage(png, label);
    else await fit(png, label);
  }

  /** Brings an image to the size that the model takes. */
  async function fit(file, label) {
    try {
      clear();
      const response = await post('api/fit', { model: state.model.name }, file, file.type || 'image/*', 'image/png');
      await setImage(await response.blob(), label);
      return true;
    } catch (e) {
      fail(e);
      return false;
    }
  }

  const dataUri = (file) =>
    new Promise((done) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result);
      reader.readAsDataURL(file);
    });

  dropzone($('p-drop'), $('p-file'), async (first, files) => {
    for (const file of files.slice(0, 24).reverse()) {
      if (!(await fit(file, -1))) return;
      state.item = { name: file.name, label: '', src: await dataUri(state.image), read: async () => file };
      own.unshift(state.item);
      own.splice(24);
    }
    offer();
  });
  for (const id of ['p-mapping', 'p-interpolation']) $(id).addEventListener('change', refresh);
  $('p-noise').addEventListener('input', () => {
    $('p-noise-value').textContent = Number($('p-noise').value).toFixed(2);
    show();
  });
  $('p-noise').addEventListener('change', drawCurve);
  $('p-model').addEventListener('change', () => {
    state.model = models.find((m) => m.name === $('p-model').value);
    note();
    choose(state.item).catch(fail);
  });
  $('p-angle').addEventListener('input', () => {
    if ($('p-angle').value !== '') rotate(Number($('p-angle').value));
  });
  $('dial').addEventListener('keydown', (e) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 15, PageDown: -15 }[e.key];
    const to = { Home: 0, End: 359 }[e.key];
    if (by === undefined && to === undefined) return;
    e.preventDefault();
    rotate(to ?? state.angle + by);
  });

  const box = $('dialbox');
  const pointerAngle = (e) => {
    const r = box.getBoundingClientRect();
    return (Math.atan2(-(e.clientX - r.left - r.width / 2), -(e.clientY - r.top - r.height / 2)) * 180) / Math.PI;
  };
  let grip = null;
  box.addEventListener('pointerdown', (e) => {
    grip = pointerAngle(e) - state.angle;
    box.setPointerCapture(e.pointerId);
    $('dial').focus({ preventScroll: true });
    e.preventDefault();
  });
  box.addEventListener('pointermove', (e) => {
    if (grip !== null) rotate(pointerAngle(e) - grip);
  });
  for (const end of ['pointerup', 'pointercancel']) box.addEventListener(end, () => (grip = null));

  setAngle(120);
  offer();
  strip.select(0);
}
