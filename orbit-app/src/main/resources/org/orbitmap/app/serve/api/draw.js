// Bars, polar curves and clouds of points.

const SVG = 'http://www.w3.org/2000/svg';

export function svg(name, attributes, ...children) {
  const e = document.createElementNS(SVG, name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  e.append(...children);
  return e;
}

/** A number with so many digits; what rounds to zero has no sign. */
export const fixed = (v, digits) => v.toFixed(digits).replace(/^-(0\.?0*)$/, '$1');

export const percent = (p) => `${(100 * p).toFixed(p > 0.9995 || p < 0.0005 ? 0 : 1)} %`;

export const argmax = (p) => p.reduce((best, v, i) => (v > p[best] ? i : best), 0);

/** Two bars for each class; the rows are made once and then only change their widths. */
export function bars(box, classes, truth, plain, mapped) {
  const most = 10;
  let order = classes.map((_, i) => i);
  if (order.length > most) {
    order.sort((a, b) => Math.max(plain[b], mapped[b]) - Math.max(plain[a], mapped[a]));
    order = order.slice(0, most);
  }
  if (box.childElementCount !== order.length) {
    box.replaceChildren(
      ...order.map(() => {
        const row = document.createElement('div');
        row.className = 'bar';
        row.append(
          document.createElement('span'),
          svg('svg', { 'aria-hidden': 'true' },
            svg('rect', { class: 'track', width: '100%', height: 14, rx: 3 }),
            svg('rect', { class: 'fill-plain', y: 1, height: 5, rx: 2 }),
            svg('rect', { class: 'fill-mapped', y: 8, height: 5, rx: 2 })));
        return row;
      }));
  }
  order.forEach((c, i) => {
    const row = box.children[i];
    row.classList.toggle('true', c === truth);
    row.firstChild.textContent = classes[c];
    const [, a, b] = row.lastChild.children;
    a.setAttribute('width', `${100 * plain[c]}%`);
    b.setAttribute('width', `${100 * mapped[c]}%`);
  });
  box.setAttribute('aria-label', `plain: ${classes[argmax(plain)]} ${percent(Math.max(...plain))}; mapped: ${classes[argmax(mapped)]} ${percent(Math.max(...mapped))}`);
}

/** Curves in [0, 1] around the circle: 0° at the top, counter-clockwise, as the dial. */
export class Polar {
  constructor(box, label) {
    const R = (this.R = 100);
    const at = (degrees, r) => {
      const a = (degrees * Math.PI) / 180;
      return [-r * Math.sin(a), -r * Math.cos(a)];
    };
    this.at = at;
    const root = svg('svg', { viewBox: '-128 -120 256 240', role: 'img', 'aria-label': label });
    for (const share of [0.25, 0.5, 0.75, 1]) root.append(svg('circle', { class: 'grid', r: R * share }));
    for (let d = 0; d < 360; d += 45) {
      const [x, y] = at(d, R);
      root.append(svg('line', { class: 'grid', x2: x, y2: y }));
      const [tx, ty] = at(d, R + 11);
      root.append(svg('text', { x: tx, y: ty + 3, 'text-anchor': Math.abs(tx) < 9 ? 'middle' : tx > 0 ? 'start' : 'end' }, `${d}°`));
    }
    this.curves = { plain: svg('path', { class: 'plain' }), mapped: svg('path', { class: 'mapped' }) };
    this.hand = svg('line', { class: 'hand' });
    root.append(this.curves.plain, this.curves.mapped, this.hand);
    box.replaceChildren(root);
    this.root = root;
    this.clear();
  }

  clear() {
    this.points = { plain: [], mapped: [] };
    for (const c of Object.values(this.curves)) c.setAttribute('d', '');
  }

  add(degrees, values) {
    for (const [name, v] of Object.entries(values)) {
      this.points[name].push([degrees, Math.min(1, Math.max(0, v))]);
      this.draw(name);
    }
  }

  set(name, degrees, values) {
    this.points[name] = degrees.map((d, i) => [d, values[i]]);
    this.draw(name, true);
  }

  draw(name, closed = false) {
    const d = this.points[name]
      .map(([a, v], i) => {
        const [x, y] = this.at(a, v * this.R);
        return `${i ? 'L' : 'M'}${x.toFixed(2)} ${y.toFixed(2)}`;
      })
      .join('');
    this.curves[name].setAttribute('d', closed && d ? `${d}Z` : d);
  }

  close() {
    for (const name of Object.keys(this.curves)) this.draw(name, true);
  }

  point(degrees) {
    const [x, y] = this.at(degrees, this.R);
    this.hand.setAttribute('x2', x);
    this.hand.setAttribute('y2', y);
  }
}

/** Draws points x y z as shaded dots, far ones first; y is up, z towards the eye. */
export function cloud(canvas, points, view, scale, hue) {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const side = Math.max(120, Math.round(canvas.clientWidth * ratio));
  if (canvas.width !== side) canvas.width = canvas.height = side;
  const g = canvas.getContext('2d');
  g.clearRect(0, 0, side, side);
  const n = points.length / 3;
  const out = new Float32Array(points.length);
  let near = -Infinity;
  let far = Infinity;
  for (let i = 0; i < n; i++) {
    for (let r = 0; r < 3; r++) {
      out[3 * i + r] =
        view[3 * r] * points[3 * i] + view[3 * r + 1] * points[3 * i + 1] + view[3 * r + 2] * points[3 * i + 2];
    }
    near = Math.max(near, out[3 * i + 2]);
    far = Math.min(far, out[3 * i + 2]);
  }
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort((a, b) => out[3 * a + 2] - out[3 * b + 2]);
  const unit = side * 0.5 * scale;
  const size = Math.max(1.3, side * 0.0095);
  for (const i of order) {
    const depth = near > far ? (out[3 * i + 2] - far) / (near - far) : 1;
    g.fillStyle = `hsl(${hue} ${45 + 30 * depth}% ${28 + 42 * depth}%)`;
    g.beginPath();
    g.arc(side / 2 + unit * out[3 * i], side / 2 - unit * out[3 * i + 1], size * (0.65 + 0.5 * depth), 0, 6.2832);
    g.fill();
  }
}
