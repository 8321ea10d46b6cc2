import serverPaths from '../server-paths.json';

/**
 * Patterns of the paths of the server, of those below them and of their formats (/openapi.json, /openapi.yaml): a
 * navigation to them must not be answered with the app's shell. The server's tests compare its routes with the list.
 */
export const NAVIGATION_DENYLIST = serverPaths.map(
  (path) => new RegExp(`^${path.replace('.', '\\.')}(?:[/.?-]|$)`),
);
