import { get, fail } from './api.js';
import { fixed, percent } from './draw.js';

const $ = (id) => document.getElementById(id);
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;

/** One pose on its canvas: drawn as shaded triangles, the far ones first. */
class Pose {
  constructor(canvas, data, yaw) {
    this.canvas = canvas;
    this.x = new Float32Array(bytes(data.vertices));
    this.triangles = new Int32Array(bytes(data.triangles));
    this.colours = new Float32Array(bytes(data.colours));
    this.other = new Int32Array(bytes(data.other));
    this.angles = { yaw, pitch: 0.3 };
    this.picked = -1;
  }

  /** Vertices on the screen, with the depth as third coordinate. */
  place(side) {
    const [c, s] = [Math.cos(this.angles.yaw), Math.sin(this.angles.yaw)];
    const [d, t] = [Math.cos(this.angles.pitch), Math.sin(this.angles.pitch)];
    const out = new Float32Array(this.x.length);
    for (let i = 0; i < out.length; i += 3) {
      const x = c * this.x[i] + s * this.x[i + 2];
      const z = -s * this.x[i] + c * this.x[i + 2];
      out[i] = side / 2 + side * 0.36 * x;
      out[i + 1] = side * 0.46 - side * 0.36 * (d * this.x[i + 1] - t * z);
      out[i + 2] = t * this.x[i + 1] + d * z;
    }
    return out;
  }

  draw() {
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const side = Math.max(120, Math.round(this.canvas.clientWidth * ratio));
    if (this.canvas.width !== side) this.canvas.width = this.canvas.height = side;
    const g = this.canvas.getContext('2d');
    g.clearRect(0, 0, side, side);
    const p = this.place(side);
    this.placed = p;
    const t = this.triangles;
    const n = t.length / 3;
    const depth = new Float32Array(n);
    for (let f = 0; f < n; f++) depth[f] = p[3 * t[3 * f] + 2] + p[3 * t[3 * f + 1] + 2] + p[3 * t[3 * f + 2] + 2];
    const order = Uint32Array.from({ length: n }, (_, i) => i).sort((i, j) => depth[i] - depth[j]);
    for (const f of order) {
      const [a, b, c] = [3 * t[3 * f], 3 * t[3 * f + 1], 3 * t[3 * f + 2]];
      const area = (p[b] - p[a]) * (p[c + 1] - p[a + 1]) - (p[c] - p[a]) * (p[b + 1] - p[a + 1]);
      if (area >= 0) continue; // it looks away
      const u = Math.hypot(p[b] - p[a], p[b + 1] - p[a + 1], 0.36 * side * (p[b + 2] - p[a + 2]));
      const v = Math.hypot(p[c] - p[a], p[c + 1] - p[a + 1], 0.36 * side * (p[c + 2] - p[a + 2]));
      const light = 0.55 + 0.45 * Math.min(1, -area / Math.max(1e-6, u * v));
      const colour = [0, 1, 2].map((k) => Math.round((255 * light * (this.colours[a + k] + this.colours[b + k] + this.colours[c + k])) / 3));
      g.fillStyle = g.strokeStyle = `rgb(${colour})`;
      g.beginPath();
      g.moveTo(p[a], p[a + 1]);
      g.lineTo(p[b], p[b + 1]);
      g.lineTo(p[c], p[c + 1]);
      g.closePath();
      g.fill();
      g.stroke();
    }
    if (this.picked >= 0) {
      const i = 3 * this.picked;
      g.beginPath();
      g.arc(p[i], p[i + 1], side * 0.022, 0, 6.2832);
      g.fillStyle = '#fff';
      g.fill();
      g.lineWidth = side * 0.01;
      g.strokeStyle = '#d00000';
      g.stroke();
      g.lineWidth = 1;
    }
    this.canvas.dataset.picked = String(this.picked);
  }

  /** The vertex under a place on the screen, the nearest one to the eye. */
  at(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const scale = this.canvas.width / box.width;
    const [x, y] = [(clientX - box.left) * scale, (clientY - box.top) * scale];
    let best = -1;
    let height = -Infinity;
    for (let i = 0; i < this.placed.length; i += 3) {
      const near = Math.hypot(this.placed[i] - x, this.placed[i + 1] - y) < this.canvas.width * 0.03;
      if (near && this.placed[i + 2] > height) {
        height = this.placed[i + 2];
        best = i / 3;
      }
    }
    return best;
  }
}

async function load() {
  $('q-facts').textContent = 'Looking for the map between the two poses …';
  const found = await get('api/poses');
  const poses = [new Pose($('q-a'), found.a, -0.6), new Pose($('q-b'), found.b, -0.6)];
  $('q-name-a').textContent = found.a.name;
  $('q-name-b').textContent = found.b.name;
  $('q-facts').textContent =
    `Found in ${fixed(found.seconds, 1)} s from the two surfaces alone: ${percent(found.bijectivity)} of the surface comes back to its place, margin ${fixed(found.margin, 2)}.`;

  function pick(which, vertex) {
    if (vertex < 0) return;
    poses[which].picked = vertex;
    poses[1 - which].picked = poses[which].other[vertex];
    poses.forEach((p) => p.draw());
  }

  poses.forEach((pose, which) => {
    let grip = null;
    let moved = 0;
    pose.canvas.addEventListener('pointerdown', (e) => {
      grip = [e.clientX, e.clientY];
      moved = 0;
      pose.canvas.setPointerCapture(e.pointerId);
    });
    pose.canvas.addEventListener('pointermove', (e) => {
      if (!grip) return;
      const [dx, dy] = [e.clientX - grip[0], e.clientY - grip[1]];
      moved += Math.abs(dx) + Math.abs(dy);
      grip = [e.clientX, e.clientY];
      pose.angles.yaw += dx / 120;
      pose.angles.pitch = Math.max(-1.5, Math.min(1.5, pose.angles.pitch + dy / 120));
      pose.draw();
    });
    pose.canvas.addEventListener('pointerup', (e) => {
      if (grip && moved < 4) pick(which, pose.at(e.clientX, e.clientY));
      grip = null;
    });
    pose.canvas.addEventListener('pointercancel', () => (grip = null));
    pose.canvas.addEventListener('keydown', (e) => {
      const turn = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[e.key];
      if (turn) {
        pose.angles.yaw += turn[0];
        pose.angles.pitch = Math.max(-1.5, Math.min(1.5, pose.angles.pitch + turn[1]));
        pose.draw();
      } else if (e.key === 'Enter' || e.key === ' ') {
        const box = pose.canvas.getBoundingClientRect();
        pick(which, pose.at(box.left + box.width / 2, box.top + box.height / 2));
      } else return;
      e.preventDefault();
    });
    pose.draw();
  });
  addEventListener('resize', () => poses.forEach((p) => p.draw()));
  $('poses').dataset.ready = 'true';
}

/** The map is looked for when its place on the page is seen for the first time. */
export function start() {
  const seen = new IntersectionObserver((entries) => {
    if (entries.some((e) => e.isIntersecting)) {
      seen.disconnect();
      load().catch(fail);
    }
  });
  seen.observe($('poses'));
}
