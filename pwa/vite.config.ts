import { globSync, readFileSync, writeFileSync } from 'node:fs';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { minifySync, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';
import { manifest } from './manifest.config.ts';

// The API's address for `npm run dev`. The built app is served by the API's binary.
const backend = process.env.HEARTWARD_URL ?? 'http://127.0.0.1:8080';

// Tests of the app's shell, of the session and of the device's database, whose live queries continue after a file's
// tests, run isolated. The others share modules and window within a worker, because creating these took most of the
// time.
const tests = ['src/**/*.test.{ts,tsx}', 'sw/**/*.test.ts'];
const isolated = globSync(tests, { cwd: import.meta.dirname }).filter(
  (file) =>
    file.startsWith('src/app/') ||
    file.startsWith('src/session/') ||
    readFileSync(new URL(file, import.meta.url), 'utf8').includes('fake-indexeddb'),
);

/** Minifies boot.js, which runs before the bundle and is not part of it. */
const minifyBoot: Plugin = {
  name: 'minify-boot',
  apply: 'build',
  writeBundle: ({ dir = 'dist' }) => {
    const file = `${dir}/boot.js`;
    writeFileSync(file, minifySync('boot.js', readFileSync(file, 'utf8')).code);
  },
};

/** Uses Dexie's build for current browsers as modules. The package's entry is one for ES5, to share it with CommonJS. */
const modernDexie: Plugin = {
  name: 'modern-dexie',
  apply: 'build',
  config: () => ({ resolve: { alias: [{ find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' }] } }),
};

/** The modules of the screens that a visit begins with, by path; `landing` is / for visitors who are not signed in. */
const firstScreens: Record<string, string> = {
  landing: 'src/features/auth/LandingScreen.tsx',
  '/': 'src/features/discovery/ForYouScreen.tsx',
  '/discover': 'src/app/DiscoverRoute.tsx',
  '/matches': 'src/app/MatchesRoute.tsx',
  '/messages': 'src/app/MessagesRoute.tsx',
  '/profile': 'src/app/ProfileRoute.tsx',
  '/signup': 'src/features/auth/SignUpScreen.tsx',
  '/login': 'src/features/auth/LoginScreen.tsx',
};

/** Lists the chunks of these screens in index.html for boot.js, which preloads them. */
const listChunks: Plugin = {
  name: 'list-chunks',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const addImports = (name: string, names: Set<string>): Set<string> => {
        if (names.has(name)) return names;
        names.add(name);
        for (const imported of byName.get(name)?.imports ?? []) addImports(imported, names);
        return names;
      };
      const entry = chunks.find((chunk) => chunk.isEntry);
      const loaded = addImports(entry?.fileName ?? '', new Set());
      const listOf = (module: string) => {
        const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
        if (!chunk) throw new Error(`no chunk of ${module}`);
        return [...addImports(chunk.fileName, new Set())]
          .filter((name) => !loaded.has(name))
          .map((name) => `/${name}`);
      };
      const lists = Object.entries(firstScreens).map(([path, module]) => [path, listOf(module)]);
      return html.replace('src="/boot.js"', `$& data-chunks='${JSON.stringify(Object.fromEntries(lists))}'`);
    },
  },
};

export default defineConfig({
  plugins: [
    minifyBoot,
    listChunks,
    modernDexie,
    react(),
    tailwindcss(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      // The page registers the worker itself, and applies an update only when the member asks for it.
      registerType: 'prompt',
      injectRegister: null,
      manifest,
      injectManifest: {
        // The files that screens need offline: shell, chunks, styles, fonts, icons.
        globPatterns: [
          '**/*.{js,css,html,woff2}',
          'icons/{icon-192,icon-512,maskable-512}.png',
          'favicon.svg',
        ],
        maximumFileSizeToCacheInBytes: 1_000_000,
      },
    }),
  ],
  resolve: { alias: { '@': new URL('./src', import.meta.url).pathname } },
  build: {
    target: ['chrome111', 'edge111', 'firefox121', 'safari16.4'],
    // No inlined assets: the content policy allows fonts and images of the app's origin only, and files are cached for
    // ever.
    assetsInlineLimit: 0,
    manifest: true,
    // Browsers without modulepreload load a chunk's imports one after the other.
    modulePreload: { polyfill: false },
    // One chunk for the code that every page loads first. Fourteen small ones are 5 kB larger, and a request each.
    // A module of several screens is in a chunk with others that the same screens load. A chunk below the threshold, in
    // bytes before minifying, is merged with its neighbour: a request costs more than a few unused kilobytes.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 1 },
            { name: 'icons', test: /lucide-react/, minShareCount: 2 },
            { name: 'device', test: /dexie|src.offline/, minShareCount: 6 },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 2000 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': backend,
      '/files': backend,
      '/dev': backend,
      '/ws': { target: backend, ws: true },
    },
  },
  test: {
    environment: 'happy-dom',
    restoreMocks: true,
    // Long, because the machine may be busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    setupFiles: './vitest.timeouts.ts',
    // The contrast test reads the tokens.
    css: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: tests,
          exclude: isolated,
          isolate: false,
          setupFiles: ['./vitest.timeouts.ts', './vitest.setup.ts'],
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
    ],
  },
});
