// Draws every icon and splash screen in public/icons from the four drawings in icons/.
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { generateAssets } from '@vite-pwa/assets-generator/api/generate-assets';
import { instructions } from '@vite-pwa/assets-generator/api/instructions';

const root = path.resolve(import.meta.dirname, '..');
const outputs = path.join(root, 'public/icons');
const paper = '#FFF8F2';
const png = { compressionLevel: 9, effort: 10, palette: true, colours: 64 };
const nothing = { sizes: [] };

/** Portrait phones and tablets in use: width and height in points, and the scale. */
const devices = [
  [375, 667, 2],
  [375, 812, 3],
  [390, 844, 3],
  [393, 852, 3],
  [402, 874, 3],
  [414, 896, 2],
  [428, 926, 3],
  [430, 932, 3],
  [440, 956, 3],
  [744, 1133, 2],
  [820, 1180, 2],
  [1024, 1366, 2],
].map(([width, height, scaleFactor]) => ({
  width: width * scaleFactor,
  height: height * scaleFactor,
  scaleFactor,
}));

async function draw(source, preset) {
  const plan = await instructions({
    imageResolver: () => readFile(path.join(root, 'icons', source)),
    imageName: path.join(outputs, source),
    preset: { transparent: nothing, maskable: nothing, apple: nothing, png, ...preset },
    faviconPreset: 'default',
    htmlLinks: {},
    basePath: '/',
    resolveSvgName: (name) => path.basename(name),
  });
  plan.favicon = {};
  await generateAssets(plan, true, outputs);
}

await rm(outputs, { recursive: true, force: true });
await mkdir(outputs, { recursive: true });
const named = (name) => (_, size) => `${name.replace('*', size.width)}.png`;
await draw('icon.svg', { transparent: { sizes: [192, 512], padding: 0 }, assetName: named('icon-*') });
await draw('maskable.svg', { maskable: { sizes: [512], padding: 0 }, assetName: named('maskable-*') });
await draw('monochrome.svg', { transparent: { sizes: [512], padding: 0 }, assetName: named('monochrome-*') });
await draw('maskable.svg', { apple: { sizes: [180], padding: 0 }, assetName: named('apple-touch-icon') });
await draw('splash.svg', {
  appleSplashScreens: {
    sizes: devices,
    padding: 0.6,
    png,
    resizeOptions: { background: paper, fit: 'contain' },
    linkMediaOptions: { log: false, addMediaScreen: false, basePath: '/', xhtml: false },
    name: (landscape, size) => `${landscape ? 'landscape' : 'splash'}-${size.width}x${size.height}.png`,
  },
});
for (const file of await readdir(outputs)) {
  if (file.startsWith('landscape-')) await rm(path.join(outputs, file));
}
await copyFile(path.join(root, 'icons/icon.svg'), path.join(root, 'public/favicon.svg'));
