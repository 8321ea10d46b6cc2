// Compresses the built app with brotli and gzip; the server selects a file by Accept-Encoding.
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const dist = path.resolve(import.meta.dirname, '../dist');
// Smaller files fit into the first packet uncompressed.
const minSize = 1000;

for (const name of globSync('**/*.{js,css,html,svg,json,webmanifest}', { cwd: dist })) {
  const file = path.join(dist, name);
  if (statSync(file).size < minSize) continue;
  const text = readFileSync(file);
  const hint = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(text, { params: { ...hint, [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  );
  writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }));
}
