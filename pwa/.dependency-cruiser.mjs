/**
 * Which folder may import which: the floors of the app, from the lowest. A folder imports itself, what its line names,
 * and packages. `app/` composes everything, so it has no line. Only tests of `offline/` may import more.
 */
const floors = {
  base: [],
  api: ['base'],
  // The design system gets plain values, not requests or rows.
  ui: ['base', 'api/errors.ts'],
  'offline/store': ['base', 'api'],
  'offline/outbox': ['base', 'api', 'offline/store'],
  'offline/sync': ['base', 'api', 'offline/store', 'offline/outbox'],
  'offline/device': ['base', 'api', 'offline/store'],
  // Recorders and players send no request: the feature does.
  media: ['base', 'api/errors.ts', 'ui', 'offline'],
  // What several features know of profiles, likes, dates and settings.
  domain: ['base', 'api', 'ui', 'offline', 'media'],
  live: ['base', 'api', 'offline', 'domain'],
  session: ['base', 'api', 'ui', 'offline'],
  'member-menu': ['base', 'ui', 'offline', 'domain', 'session'],
  features: ['base', 'api', 'ui', 'offline', 'domain', 'live', 'session', 'media', 'member-menu'],
  // The public pages load before the app and stay small.
  site: [
    ...['base', 'session/invitation.ts', 'session/paths.ts'],
    // The names and caches that it deletes, without Dexie.
    ...['offline/device/deviceLock.ts', 'offline/store/fileCaches.ts', 'offline/store/rows.ts'],
  ],
};

const under = (path) => `^src/${path.includes('.') ? path.replace('.', '\\.') : `${path}/`}`;
const tests = '\\.test\\.tsx?$|/testkit\\.tsx?$';

const rules = Object.entries(floors).map(([folder, below]) => ({
  name: folder,
  severity: 'error',
  from: { path: under(folder), pathNot: folder.startsWith('offline/') ? tests : undefined },
  to: { path: '^src/', pathNot: [folder, ...below].map(under) },
}));

export default {
  forbidden: [
    ...rules,
    {
      name: 'feature',
      comment: 'A feature can be read, changed or removed alone: app/ composes the features.',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    {
      name: 'worker',
      comment: 'The service worker shares requests and rows with the page, but no component.',
      severity: 'error',
      from: { path: '^sw/' },
      to: { path: '^src/', pathNot: ['base', 'api', 'offline'].map(under) },
    },
    {
      name: 'floor',
      comment: 'A new folder needs its line among the floors.',
      severity: 'error',
      from: {
        path: '^src/[^/]+/',
        pathNot: ['^src/app/', '^src/offline/testkit', ...Object.keys(floors).map(under)],
      },
      to: {},
    },
    {
      name: 'circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:|\\?raw$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.app.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['browser', 'import', 'types', 'default'],
    },
  },
};
