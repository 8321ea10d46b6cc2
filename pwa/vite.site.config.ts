/** The build of the public pages, after that of the app: apart from it, so that they share no chunk. */
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import app from './vite.config.ts';

const { resolve, build: { target, assetsInlineLimit, modulePreload } = {} } = app;

export default defineConfig({
  plugins: [tailwindcss()],
  resolve,
  // The app's build has copied it.
  publicDir: false,
  build: {
    target,
    assetsInlineLimit,
    modulePreload,
    emptyOutDir: false,
    manifest: '.vite/manifest-site.json',
    rolldownOptions: { input: 'site.html' },
  },
});
