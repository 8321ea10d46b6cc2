import { globSync, readFileSync, writeFileSync } from 'node:fs';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { minifySync, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';
import { manifest } from './manifest.config.ts';

// Where `npm run dev` finds the API; the built app is served by the same binary that serves the API.
const backend = process.env.HEARTWARD_URL ?? 'http://127.0.0.1:8080';

// Tests of the session and those with the device's database, whose live queries outlast a file, have modules and a
// window to themselves. The others share them in a worker: making them anew took most of the time.
const tests = ['src/**/*.test.{ts,tsx}', 'sw/**/*.test.ts'];
const apart = globSync(tests, { cwd: import.meta.dirname }).filter(
  (file) =>
    file.startsWith('src/app/') ||
    file.startsWith('src/session/') ||
    readFileSync(new URL(file, import.meta.url), 'utf8').includes('fake-indexeddb'),
);

/** boot.js stands beside the bundle, so that it runs first: without this, everybody would load its comments. */
const smallBoot: Plugin = {
  name: 'small-boot',
  apply: 'build',
  writeBundle: ({ dir = 'dist' }) => {
    const file = `${dir}/boot.js`;
    writeFileSync(file, minifySync('boot.js', readFileSync(file, 'utf8')).code);
  },
};

export default defineConfig({
  plugins: [
    smallBoot,
    react(),
    tailwindcss(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      // The page registers the worker itself: it asks before an update and never reloads someone who types.
      registerType: 'prompt',
      injectRegister: null,
      manifest,
      injectManifest: {
        // Everything a screen needs to open without a network: shell, chunks, styles, fonts, icons.
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
    // Never inline: the page's policy allows fonts and images from the app's own origin, and hashes cache for ever.
    assetsInlineLimit: 0,
    manifest: true,
    // One chunk for what every page loads first: fourteen small ones compress worse (5 kB more) and each is a request.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } } },
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
    // Patience costs nothing when all is well, and the machine may be busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    setupFiles: './vitest.patience.ts',
    // The contrast test reads the tokens.
    css: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: tests,
          exclude: apart,
          isolate: false,
          setupFiles: ['./vitest.patience.ts', './vitest.setup.ts'],
        },
      },
      { extends: true, test: { name: 'apart', include: apart } },
    ],
  },
});
