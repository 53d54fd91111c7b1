import { post, stream, fail, clear, dropzone } from './api.js';
import { percent, Polar } from './draw.js';

const $ = (id) => document.getElementById(id);

export function start() {
  let file = null;
  let running = new AbortController();
  const polar = new Polar($('u-polar'), 'Share of answers that stay, against the angle');
  $('u-polar').hidden = true;

  const settings = () => ({ scaling: $('u-scaling').value, frames: $('u-frames').value });

  async function audit() {
    running.abort();
    running = new AbortController();
    const current = running;
    clear();
    polar.clear();
    $('u-again').disabled = $('u-wrap').disabled = true;
    $('u-table').hidden = true;
    $('u-polar').hidden = false;
    $('u-progress').hidden = false;
    $('u-progress').removeAttribute('value');
    $('u-status').textContent = `Reading ${file.name} …`;
    try {
      await stream('api/audit', settings(), file, 'application/octet-stream', (event, data) => {
        if (event === 'model') {
          $('u-status').textContent = `${file.name}: ${data.input}; ${data.parameters.toLocaleString('en')} parameters, ${data.classes} classes, opset ${data.opset}.`;
        } else if (event === 'progress') {
          $('u-progress').value = data.done / data.total;
        } else if (event === 'end') {
          $('u-progress').hidden = true;
          for (const which of ['plain', 'mapped']) {
            const [sweep] = Object.values(data[which].sweeps);
            polar.set(which, sweep.perPose.map((p) => p.angleDegrees), sweep.perPose.map((p) => p.accuracy));
            $(`u-${which}-average`).textContent = percent(sweep.average);
            $(`u-${which}-worst`).textContent = percent(sweep.worst);
            $(`u-${which}-weakest`).textContent = percent(sweep.failing[0].accuracy);
          }
          $('u-table').hidden = false;
          $('u-status').textContent += ` Asked about ${data.images} drawings at ${data.angles} angles; the wrapped model looks at ${data.frames} ${data.frames === 1 ? 'frame' : 'frames'}.`;
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
