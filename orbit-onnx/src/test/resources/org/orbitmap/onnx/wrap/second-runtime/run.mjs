// Usage: node run.mjs JOB.json
// A job names a model, its input (name, shape, a file of little-endian floats) and the file that
// receives the floats of one output.
import { readFileSync, writeFileSync } from 'node:fs';
import * as ort from 'onnxruntime-web';

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'error';

for (const job of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  const session = await ort.InferenceSession.create(new Uint8Array(readFileSync(job.model)), {
    executionProviders: ['wasm'],
  });
  const bytes = readFileSync(job.data);
  const floats = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const per = job.shape.reduce((a, b) => a * b, 1);
  const rows = [];
  for (let at = 0; at < floats.length; at += per) {
    const feed = { [job.input]: new ort.Tensor('float32', floats.slice(at, at + per), job.shape) };
    const result = await session.run(feed);
    rows.push(...result[job.output].data);
  }
  writeFileSync(job.result, new Uint8Array(new Float32Array(rows).buffer));
  await session.release();
}
