import { readFileSync, writeFileSync } from 'node:fs';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { minifySync, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';
import { codeSplitting, fileNameOf, keepAdminApart, listChunks, preloadedChunks } from './chunks.config.ts';
import { emojiModule } from './emoji.config.ts';
import { manifest } from './manifest.config.ts';
import { leaveOutUnused, modernPackages } from './packages.config.ts';
import serverPaths from './server-paths.json' with { type: 'json' };

// The API's address for `npm run dev`. The built app is served by the API's binary.
const backend = process.env.HEARTWARD_URL ?? 'http://127.0.0.1:8080';

/** Minifies boot.js, which runs before the bundle and is not part of it. */
const minifyBoot: Plugin = {
  name: 'minify-boot',
  apply: 'build',
  writeBundle: ({ dir = 'dist' }) => {
    const file = `${dir}/boot.js`;
    writeFileSync(file, minifySync('boot.js', readFileSync(file, 'utf8')).code);
  },
};

export default defineConfig({
  plugins: [
    minifyBoot,
    listChunks,
    keepAdminApart,
    modernPackages,
    leaveOutUnused,
    emojiModule,
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
      // The patterns below list the icons; the manifest's would be a second entry each.
      includeManifestIcons: false,
      injectManifest: {
        // The files that screens need offline: shell, chunks, styles, fonts, icons of notifications. The system keeps
        // those of the installed app itself.
        globPatterns: ['**/*.{js,css,html,woff2}', 'icons/{icon-192,monochrome-512}.png', 'favicon.svg'],
        // Admins and links of mails need the server for everything, and so do a device that keeps nothing, the decisions
        // of moderators, the selfie whose pose the server chooses, and passkeys, whose challenge it sends first. With the demos and the picker of
        // emoji, which can be typed instead, they are not stored on every device. Nor is the library that moves cards and
        // sheets: nothing needs it, and the browser's cache has it after its first use.
        globIgnores: [
          'assets/{AdminRoute,AdminLoginScreen,DemosScreen,MediaDemoScreen,MessagingDemoScreen,SparksDemoScreen,TestScreen,NotMeScreen,RecoveryCodes,DecisionsScreen,SharedDateScreen,TogetherScreen,VerificationSheet,CardMover,motion,EmojiPicker,memory,passkeyLibrary}-*.js',
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
    modulePreload: { polyfill: false, resolveDependencies: preloadedChunks },
    rolldownOptions: { output: { codeSplitting, chunkFileNames: fileNameOf } },
  },
  server: {
    // With a string instead of an object Vite sends the backend's host. The server then refuses writes and the socket,
    // whose origin differs, but the mailbox requires it.
    proxy: {
      ...Object.fromEntries(
        serverPaths.filter((path) => path !== '/sw.js').map((path) => [path, { target: backend }]),
      ),
      '/dev': backend,
      '/ws': { target: backend, ws: true },
      // The landing page with its styles, for visitors; a browser with a session gets the app.
      '/assets': { target: backend },
      '^/(\\?.*)?$': {
        target: backend,
        bypass: ({ headers, url }) => (/\bsid=/.test(headers.cookie ?? '') ? url : undefined),
      },
    },
  },
  test: {
    environment: 'happy-dom',
    // Each file has its own globals and modules. A process for each file takes three times the processor time.
    pool: 'vmForks',
    maxWorkers: '100%',
    restoreMocks: true,
    // Long, because the machine may be busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    setupFiles: './vitest.setup.ts',
    // The contrast test reads the tokens.
    css: true,
    include: ['src/**/*.test.{ts,tsx}', 'sw/**/*.test.ts'],
  },
});
