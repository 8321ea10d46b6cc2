/** Paths of the server: a navigation to them must not be answered with the app's shell. */
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
  '/sw.js',
  '/robots.txt',
  '/sitemap',
];

/** Patterns that match each path, the paths below it and its formats (/openapi.json, /openapi.yaml). */
export const NAVIGATION_DENYLIST = SERVER_PATHS.map(
  (path) => new RegExp(`^${path.replace('.', '\\.')}(?:[/.?-]|$)`),
);
