import { getFloats, post, latest, fail, clear, dropzone, radios, options } from './api.js';
import { start as poses } from './poses.js';
import { bars, fixed, percent, argmax, cloud } from './draw.js';

const $ = (id) => document.getElementById(id);
const UNIT = [1, 0, 0, 0, 1, 0, 0, 0, 1];
// The eye looks down a little, from the side.
const VIEW = product(about(0, 0.35), about(1, -0.6));

/** The rotation about a coordinate axis. */
function about(axis, angle) {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  if (axis === 0) return [1, 0, 0, 0, c, -s, 0, s, c];
  if (axis === 1) return [c, 0, s, 0, 1, 0, -s, 0, c];
  return [c, -s, 0, s, c, 0, 0, 0, 1];
}

function product(a, b) {
  const out = new Array(9);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
    }
  }
  return out;
}

const transpose = (m) => [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]];

export function start(studio) {
  const state = { points: null, rotation: UNIT, yaw: 0, mirrored: false, label: -1, reference: null };

  options($('s-mapping'), studio.cloudMappings, studio.cloudMappings.map((s) => (s === 'skewness' ? 'skewness (default)' : `${s} (the paper’s)`)));
  options($('s-group'), ['sim3', 'sim3-mirrored', 'so3'],
    ['rotations, shifts and sizes', 'these and mirror images', 'rotations about the origin only']);
  options($('s-network'), [...studio.cloudModels, ''], [...studio.cloudModels, 'nearest reference solid']);
  $('s-network-field').hidden = studio.cloudModels.length === 0;

  /** The points as they are moved: size · rotation · mirror · x + shift. */
  function moved() {
    const scale = 10 ** Number($('s-scale').value);
    const shift = 3 * Number($('s-shift').value);
    const m = product(about(1, (state.yaw * Math.PI) / 180), state.rotation);
    const x = state.points;
    const out = new Float32Array(x.length);
    const flip = state.mirrored ? -1 : 1;
    for (let i = 0; i < x.length; i += 3) {
      for (let r = 0; r < 3; r++) {
        out[i + r] = scale * (m[3 * r] * flip * x[i] + m[3 * r + 1] * x[i + 1] + m[3 * r + 2] * x[i + 2]) + (r === 0 ? shift : 0);
      }
    }
    return out;
  }

  const show = latest(async () => {
    const points = moved();
    cloud($('s-input'), points, VIEW, 0.62, 18);
    const values = { mapping: $('s-mapping').value, group: $('s-group').value };
    if ($('s-network').value) values.model = $('s-network').value;
    const view = await (await post('api/solid', values, points)).json();
    const canonical = new Float32Array(Uint8Array.from(atob(view.floats), (c) => c.charCodeAt(0)).buffer);
    cloud($('s-canonical'), canonical, VIEW, 0.4, 212);
    showDrift(canonical);
    showMargins(view);
    const classes = view.classes || studio.solids;
    // Of a network with other classes, the true one may not be known.
    const truth = view.classes ? classes.indexOf(studio.solids[state.label]) : state.label;
    for (const which of ['plain', 'mapped']) {
      const p = view[which];
      const top = argmax(p);
      $(`s-${which}`).textContent = classes[top];
      $(`s-${which}-p`).textContent = percent(p[top]);
      $(`s-${which}`).parentElement.classList.toggle('wrong', truth >= 0 && top !== truth);
    }
    bars($('s-bars'), classes, truth, view.plain, view.mapped);
    $('s-model').textContent = values.model
      ? `What ${values.model} says of the points as they are, and behind its mapping.`
      : 'What is said of a solid: the nearest of eight reference solids, by the chamfer distance.';
    document.body.dataset.ready = 'solid';
  }, fail);

  /** How far the canonical cloud has moved since the solid was chosen, whatever the order. */
  function showDrift(canonical) {
    const sums = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < canonical.length; i += 3) {
      for (let r = 0; r < 3; r++) {
        const v = canonical[i + r];
        sums[r] += v ** 3;
        sums[3 + r] += v ** 5 / 4;
      }
    }
    const now = sums.map((v) => (3 * v) / canonical.length);
    if (!state.reference) state.reference = now;
    const drift = Math.max(...now.map((v, i) => Math.abs(v - state.reference[i])));
    const jumped = drift > 0.02;
    $('s-still').textContent = jumped ? 'it has jumped' : 'stands still';
    $('s-still').dataset.jumped = String(jumped);
  }

  function showMargins(a) {
    const p = $('s-facts');
    p.innerHTML = 'Gap between the axes <b></b>, margin of their signs <b></b>. <span></span>';
    const b = p.querySelectorAll('b');
    const marginText = (v) => (v === null ? 'none needed' : fixed(v, 4));
    b[0].textContent = marginText(a.eigenGap);
    b[1].textContent = marginText(a.signMargin);
    p.querySelector('span').textContent = a.ambiguous ? 'Too small to promise anything.' : 'Moving every point by less than these, relative to its size, keeps the frame.';
  }

  function updatePose() {
    $('s-yaw').value = Math.round(((state.yaw % 360) + 360) % 360) % 360;
    $('s-yaw-value').textContent = `${$('s-yaw').value}°`;
    $('s-scale-value').textContent = (10 ** Number($('s-scale').value)).toFixed(2);
    $('s-shift-value').textContent = (3 * Number($('s-shift').value)).toFixed(1);
    $('s-mirror').setAttribute('aria-pressed', String(state.mirrored));
    $('s-pose').textContent = [state.mirrored && 'mirrored', `${$('s-yaw').value}°`].filter(Boolean).join(', ');
    show();
  }

  function resetPose() {
    state.rotation = UNIT;
    state.yaw = 0;
    state.mirrored = false;
    $('s-scale').value = 0;
    $('s-shift').value = 0;
  }

  function setPoints(points, label) {
    clear();
    state.points = points;
    state.label = label;
    state.reference = null;
    resetPose();
    updatePose();
  }

  const strip = radios(
    $('s-samples'),
    studio.solids.map((name) => ({ label: name, content: name })),
    async (i) => {
      try {
        setPoints(await getFloats(`api/solids/${studio.solids[i]}`), i);
      } catch (e) {
        fail(e);
      }
    });

  dropzone($('s-drop'), $('s-file'), async (file) => {
    try {
      const response = await post('api/cloud', { name: file.name }, file, 'application/octet-stream', 'application/octet-stream');
      setPoints(new Float32Array(await response.arrayBuffer()), -1);
      strip.mark(-1);
    } catch (e) {
      fail(e);
    }
  });

  for (const id of ['s-scale', 's-shift']) $(id).addEventListener('input', updatePose);
  for (const id of ['s-mapping', 's-group', 's-network']) {
    $(id).addEventListener('change', () => {
      state.reference = null;
      show();
    });
  }
  $('s-yaw').addEventListener('input', () => {
    state.yaw = Number($('s-yaw').value);
    updatePose();
  });
  $('s-reset').addEventListener('click', () => {
    resetPose();
    updatePose();
  });
  $('s-mirror').addEventListener('click', () => {
    state.mirrored = !state.mirrored;
    updatePose();
  });
  $('s-random').addEventListener('click', () => {
    for (let k = 0; k < 3; k++) state.rotation = product(about(k, 6.2832 * Math.random()), state.rotation);
    updatePose();
  });
  $('s-shuffle').addEventListener('click', () => {
    const x = Float32Array.from(state.points);
    for (let i = x.length / 3 - 1; i > 0; i--) {
      const j = Math.floor(Math.random() * (i + 1));
      for (let r = 0; r < 3; r++) [x[3 * i + r], x[3 * j + r]] = [x[3 * j + r], x[3 * i + r]];
    }
    state.points = x;
    updatePose();
  });

  /** Rotates about an axis of the screen. */
  function spin(axis, angle) {
    const yaw = about(1, (state.yaw * Math.PI) / 180);
    const onScreen = product(transpose(VIEW), product(about(axis, angle), VIEW));
    state.rotation = product(transpose(yaw), product(onScreen, product(yaw, state.rotation)));
    updatePose();
  }

  const canvas = $('s-input');
  let grip = null;
  canvas.addEventListener('pointerdown', (e) => {
    grip = [e.clientX, e.clientY];
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener('pointermove', (e) => {
    if (!grip) return;
    const unit = 4 / canvas.clientWidth;
    const [dx, dy] = [e.clientX - grip[0], e.clientY - grip[1]];
    grip = [e.clientX, e.clientY];
    spin(1, dx * unit);
    spin(0, dy * unit);
  });
  for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, () => (grip = null));
  canvas.addEventListener('keydown', (e) => {
    const step = 0.1;
    const by = e.shiftKey
      ? { ArrowLeft: [2, step], ArrowRight: [2, -step] }[e.key]
      : { ArrowLeft: [1, -step], ArrowRight: [1, step], ArrowUp: [0, -step], ArrowDown: [0, step] }[e.key];
    const size = { '+': 0.04, '-': -0.04 }[e.key];
    if (by) spin(...by);
    else if (size) {
      $('s-scale').value = Number($('s-scale').value) + size;
      updatePose();
    } else return;
    e.preventDefault();
  });
  addEventListener('resize', () => state.points && show());

  strip.select(0);
  poses();
}
