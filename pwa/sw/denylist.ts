/** Paths the server owns: a navigation there must never be answered with the app's shell. */
const SERVER_PATHS = [
  '/api',
  '/ws',
  '/files',
  '/dev',
  '/docs',
  '/openapi',
  '/healthz',
  '/readyz',
  '/metrics',
  '/riverui',
  '/sw.js',
];

/** Matches the path itself, what lies below it and its formats (/openapi.json, /openapi.yaml). */
export const NAVIGATION_DENYLIST = SERVER_PATHS.map(
  (path) => new RegExp(`^${path.replace('.', '\\.')}(?:[/.?-]|$)`),
);
