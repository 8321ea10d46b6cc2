// Fails if the built app in dist/ exceeds its size budgets.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const dist = path.resolve(import.meta.dirname, '../dist');
const readManifest = (name) => JSON.parse(readFileSync(path.join(dist, '.vite', name), 'utf8'));
const manifest = readManifest('manifest.json');
const site = readManifest('manifest-site.json');
const kB = 1000;

const gzipped = (file) => gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length;

/** The chunks that the browser needs before `entry` can run. */
function closure(entry, manifest, seen = new Set()) {
  const chunk = manifest[entry];
  if (!chunk) throw new Error(`no ${entry} in the build's manifest`);
  if (seen.has(entry)) return seen;
  seen.add(entry);
  for (const needed of chunk.imports ?? []) closure(needed, manifest, seen);
  return seen;
}

const sum = (files) => [...files].reduce((total, file) => total + gzipped(file), 0);

function measure(...entries) {
  const chunks = new Set(entries.flatMap((entry) => [...closure(entry, manifest)]));
  const css = new Set([...chunks].flatMap((key) => manifest[key].css ?? []));
  return { js: sum(new Set([...chunks].map((key) => manifest[key].file))), css: sum(css) };
}

/**
 * Measures the public pages: every script and style that site.html names, also by modulepreload, with what these import.
 * A script that no manifest lists is measured too.
 */
function measureSite() {
  const html = readFileSync(path.join(dist, 'site.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map((match) => match[1]);
  const files = new Set(named);
  for (const [key, chunk] of Object.entries(site))
    if (files.has(chunk.file))
      for (const needed of closure(key, site)) {
        files.add(site[needed].file);
        for (const style of site[needed].css ?? []) files.add(style);
      }
  if (![...files].some((file) => file.startsWith('assets/'))) throw new Error('site.html names no script');
  const of = (suffix) => sum([...files].filter((file) => file.endsWith(suffix)));
  return { js: of('.js'), css: of('.css') };
}

function precached() {
  const worker = readFileSync(path.join(dist, 'sw.js'), 'utf8');
  const files = new Set([...worker.matchAll(/"?url"?:\s*"([^"]+)"/g)].map((match) => match[1]));
  const existing = [...files].filter((file) => existsSync(path.join(dist, file)));
  if (existing.length === 0) throw new Error('the worker precaches nothing');
  return existing.reduce((total, file) => total + statSync(path.join(dist, file)).size, 0);
}

const signUp = measure('index.html', 'src/features/auth/SignUpScreen.tsx');
// The shell is shown first; the deck needs the device's database too.
const shell = measure('index.html');
const home = measure('index.html', 'src/features/discovery/ForYouScreen.tsx');
const pages = measureSite();
const fonts = readdirSync(path.join(dist, 'assets'))
  .filter((file) => file.endsWith('.woff2'))
  .reduce((total, file) => total + statSync(path.join(dist, 'assets', file)).size, 0);

const budgets = [
  ['public pages, JavaScript, gzip', pages.js, 60 * kB],
  ['public pages, styles, gzip', pages.css, 10 * kB],
  ['sign-up, JavaScript, gzip', signUp.js + gzipped('boot.js'), 135 * kB],
  ['member shell, JavaScript, gzip', shell.js + gzipped('boot.js'), 122 * kB],
  ['For You with its imports, gzip', home.js + gzipped('boot.js'), 180 * kB],
  ['styles, gzip', Math.max(signUp.css, home.css), 20 * kB],
  ['service worker, gzip', gzipped('sw.js'), 20 * kB],
  ['precache', precached(), 1490 * kB],
  ['fonts', fonts, 70 * kB],
];

let failed = false;
for (const [name, size, limit] of budgets) {
  const over = size > limit;
  failed ||= over;
  const headroom = over ? 'TOO BIG' : `${((1 - size / limit) * 100).toFixed(1)} % left`;
  const figures = `${(size / kB).toFixed(1).padStart(8)} kB of ${(limit / kB).toFixed(0).padStart(4)} kB`;
  console.log(`${name.padEnd(36)} ${figures}   ${headroom.padStart(11)}`);
}
process.exitCode = failed ? 1 : 0;
