import { post, stream, fail, clear, dropzone } from './api.js';
import { percent, Polar } from './draw.js';

const $ = (id) => document.getElementById(id);

export function start() {
  let file = null;
  let images = [];
  let running = new AbortController();
  const polar = new Polar($('u-polar'), 'Share of answers that stay, against the angle');
  $('u-polar').hidden = true;

  const settings = () => ({ scaling: $('u-scaling').value, frames: $('u-frames').value });

  const asked = ({ own, images: n }) => {
    if (!own) return `${n} sample drawings (drop images of your own for figures that mean something for your model)`;
    const some = n < images.length ? `the first ${n} of your ${images.length}` : `your ${n}`;
    return `${some} ${n === 1 ? 'image' : 'images'}`;
  };

  async function audit() {
    running.abort();
    running = new AbortController();
    const current = running;
    clear();
    polar.clear();
    delete document.body.dataset.audit;
    $('u-again').disabled = $('u-wrap').disabled = true;
    $('u-table').hidden = true;
    $('u-polar').hidden = false;
    $('u-progress').hidden = false;
    $('u-progress').removeAttribute('value');
    $('u-status').textContent = `Reading ${file.name} …`;
    try {
      const body = new Blob([file, ...images]);
      const query = { ...settings(), images: images.map((i) => i.size).join(',') };
      await stream('api/audit', query, body, 'application/octet-stream', (event, data) => {
        if (event === 'model') {
          $('u-status').textContent = `${file.name}: ${data.input}; ${data.parameters.toLocaleString('en')} parameters, ${data.classes} classes, opset ${data.opset}.`;
        } else if (event === 'progress') {
          $('u-progress').value = data.done / data.total;
        } else if (event === 'end') {
          $('u-progress').hidden = true;
          for (const which of ['plain', 'mapped']) {
            const [sweep] = Object.values(data[which].sweeps);
            polar.set(which, sweep.perPose.map((p) => p.angleDegrees), sweep.perPose.map((p) => p.kept));
            $(`u-${which}-kept`).textContent = percent(sweep.labelKept);
            $(`u-${which}-weakest`).textContent = percent(sweep.failing[0].kept);
            $(`u-${which}-all`).textContent = percent(sweep.allKept);
            $(`u-${which}-change`).textContent = percent(sweep.probabilityChange);
          }
          $('u-table').hidden = false;
          $('u-status').textContent += ` Asked about ${asked(data)} at ${data.angles} angles; the wrapped model looks at ${data.frames} ${data.frames === 1 ? 'frame' : 'frames'}.`;
          $('u-wrap').disabled = false;
          document.body.dataset.audit = 'done';
        }
      }, running.signal);
    } catch (e) {
      if (current === running) {
        $('u-status').textContent = 'This did not work.';
        $('u-progress').hidden = true;
        $('u-polar').hidden = true;
      }
      fail(e);
    }
    if (current === running) $('u-again').disabled = false;
  }

  dropzone($('u-drop'), $('u-file'), (chosen) => {
    file = chosen;
    $('u-name').textContent = chosen.name;
    audit();
  });
  dropzone($('u-images-drop'), $('u-images'), (first, all) => {
    images = all;
    $('u-images-name').textContent = all.length === 1 ? first.name : `${all.length} images`;
    if (file) audit();
  });
  $('u-again').addEventListener('click', audit);
  $('u-wrap').addEventListener('click', async () => {
    try {
      const response = await post('api/wrap', settings(), file, 'application/octet-stream', 'application/octet-stream');
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await response.blob());
      link.download = file.name.replace(/(\.onnx)?$/, '-invariant.onnx');
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
      $('u-status').textContent = `Wrapped: ${link.download}.`;
    } catch (e) {
      fail(e);
    }
  });
  document.body.dataset.ready = 'upload';
}
