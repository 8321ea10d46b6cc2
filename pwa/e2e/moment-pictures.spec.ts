import { copyFileSync, readFileSync } from 'node:fs';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { expect, signInAsDemo, test } from './support/demo.ts';

type Rgb = [number, number, number];

const paper: Rgb = [255, 248, 242];
const emberSoft: Rgb = [251, 227, 219];
const ember: Rgb = [196, 69, 45];
const white: Rgb = [255, 255, 255];
const ink: Rgb = [42, 26, 34];
const muted: Rgb = [109, 90, 98];

type Box = { x: number; y: number; width: number; height: number };

/** Where the pictures have their parts. */
const places = {
  story: {
    button: 'Tall picture',
    size: [1080, 1920],
    paper: [40, 900],
    disc: [950, 115],
    emblem: [350, 691],
    headline: { x: 80, y: 1060, width: 920, height: 100 },
    line: { x: 100, y: 1200, width: 880, height: 330 },
    signature: { x: 300, y: 1690, width: 480, height: 80 },
  },
  post: {
    button: 'Wide picture',
    size: [1200, 630],
    paper: [40, 100],
    disc: [1056, 38],
    emblem: [160, 315],
    headline: { x: 545, y: 165, width: 585, height: 70 },
    line: { x: 545, y: 270, width: 585, height: 200 },
    signature: { x: 545, y: 515, width: 300, height: 50 },
  },
} as const;

/** What is drawn at the emblem's place differs between the kinds. */
const kinds = [
  { kind: 'match', title: /^New match$/, emblem: ember },
  { kind: 'badge', title: /^Badge earned/, emblem: emberSoft },
  { kind: 'referral', title: /^A friend joined$/, emblem: white },
] as const;

/** Opens the moments in a theme. */
async function openMoments(phone: BrowserContext, theme = 'light'): Promise<Page> {
  const page = await phone.newPage();
  await page.addInitScript((name) => localStorage.setItem('hw.theme', name), theme);
  await page.goto('/shareable-moments');
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
  return page;
}

const momentOf = (page: Page, title: RegExp) => page.getByRole('article', { name: title }).first();

/** Saves the picture of a moment as its member does, and returns the file's path. */
async function download(page: Page, moment: Locator, button: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    moment.getByRole('button', { name: button }).click(),
  ]);
  return file.path();
}

type Asked = { points: readonly (readonly [number, number])[]; boxes: readonly Box[]; colors: Rgb[] };

/** Decodes a picture in the browser: its size, the colours of points, and how many pixels of each box have each colour. */
const look = (page: Page, file: string, asked: Asked) =>
  page.evaluate(
    async ([base64, { points, boxes, colors }]) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
      if (!context) throw new Error('no canvas');
      context.drawImage(picture, 0, 0);
      const count = ({ x, y, width, height }: Box, color: Rgb) => {
        const { data } = context.getImageData(x, y, width, height);
        let found = 0;
        for (let at = 0; at < data.length; at += 4)
          if (color.every((part, index) => Math.abs((data[at + index] ?? 0) - part) <= 2)) found += 1;
        return found;
      };
      return {
        size: [picture.width, picture.height],
        points: points.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)]),
        counts: boxes.map((box) => colors.map((color) => count(box, color))),
      };
    },
    [readFileSync(file).toString('base64'), asked] as const,
  );

test('the picture of each kind has its size, its ground, its emblem and its words', async ({ phoneA }) => {
  await signInAsDemo(phoneA);
  const page = await openMoments(phoneA);
  for (const { kind, title, emblem } of kinds) {
    for (const [size, place] of Object.entries(places)) {
      const file = await download(page, momentOf(page, title), place.button);
      if (process.env.SHOTS) copyFileSync(file, `${process.env.SHOTS}/picture-${kind}-${size}.png`);
      const seen = await look(page, file, {
        points: [place.paper, place.disc, place.emblem],
        boxes: [place.headline, place.line, place.signature],
        colors: [ink, muted],
      });
      const name = `${kind}, ${size}`;
      expect(seen.size, name).toEqual(place.size);
      expect(seen.points, name).toEqual([paper, emberSoft, emblem]);
      const [headline, line, signature] = seen.counts;
      expect(headline?.[0], `${name}: the headline is ink`).toBeGreaterThan(1000);
      expect(line?.[1], `${name}: the line below is muted`).toBeGreaterThan(300);
      expect(signature?.[0], `${name}: the product's name is ink`).toBeGreaterThan(300);
    }
  }
});

test('the picture is the same in every theme of the app', async ({ phoneA }) => {
  await signInAsDemo(phoneA);
  const files: Buffer[] = [];
  for (const theme of ['light', 'dark', 'taco']) {
    const page = await openMoments(phoneA, theme);
    files.push(readFileSync(await download(page, momentOf(page, /^New match$/), 'Wide picture')));
    await page.close();
  }
  expect(files[1]?.equals(files[0] as Buffer)).toBe(true);
  expect(files[2]?.equals(files[0] as Buffer)).toBe(true);
});

/** A call of the share sheet: the fields of its data, the files, and whether the tap was still being handled. */
type Call = { fields: string[]; files: string[]; inTap: boolean };

/** Gives the page a share sheet that records its calls, and fails with the error that `shareError` names. */
async function fakeShareSheet(phone: BrowserContext): Promise<void> {
  await phone.addInitScript(() => {
    let inTap = false;
    addEventListener('click', () => (inTap = true), true);
    addEventListener('click', () => (inTap = false));
    const calls: unknown[] = [];
    Object.assign(globalThis, { shareCalls: calls, shareError: '' });
    Object.assign(navigator, {
      canShare: ({ files }: ShareData) => (files?.length ?? 0) > 0,
      share: async (data: ShareData) => {
        calls.push({ fields: Object.keys(data), files: data.files?.map(({ name }) => name), inTap });
        const { shareError } = globalThis as unknown as { shareError: string };
        if (shareError) throw new DOMException('', shareError);
      },
    });
  });
}

test('a tap opens the share sheet at once with the file alone, and a refusal saves it with the caption', async ({
  phoneA,
}) => {
  await signInAsDemo(phoneA);
  await phoneA.grantPermissions(['clipboard-read', 'clipboard-write']);
  await fakeShareSheet(phoneA);
  const page = await openMoments(phoneA);
  const moment = momentOf(page, /^New match$/);
  await expect(moment.getByRole('img', { name: /^Picture:/ })).toBeVisible();
  const button = moment.getByRole('button', { name: 'Wide picture' });
  const calls = () => page.evaluate(() => (globalThis as unknown as { shareCalls: Call[] }).shareCalls);
  const failWith = (name: string) =>
    page.evaluate((shareError) => Object.assign(globalThis, { shareError }), name);

  await failWith('AbortError');
  let downloads = 0;
  page.on('download', () => (downloads += 1));
  await button.click();
  await expect.poll(calls).toEqual([{ fields: ['files'], files: ['heartward-match-post.png'], inTap: true }]);
  await expect(button, 'closing the sheet is no error').toBeEnabled();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(moment).toContainText('Shared 0 times');
  expect(downloads).toBe(0);

  await failWith('NotAllowedError');
  await download(page, moment, 'Wide picture');
  await expect(page.getByText('Its caption is copied, too.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('I met someone on Heartward.');
  await expect(moment).toContainText('Shared 0 times');
});

test('a picture that the browser cannot draw leaves its words and the other ways to share', async ({
  phoneA,
}) => {
  await signInAsDemo(phoneA);
  await phoneA.addInitScript(() => {
    HTMLCanvasElement.prototype.toBlob = (done) => done(null);
  });
  const page = await openMoments(phoneA);
  const moment = momentOf(page, /^New match$/);
  await expect(moment.getByText('met someone', { exact: false }).first()).toBeVisible();
  await moment.getByRole('button', { name: 'Wide picture' }).click();
  await expect(page.getByText('The picture could not be made. Please try again.')).toBeVisible();
  await expect(moment.getByRole('button', { name: 'Stories' })).toBeEnabled();
});
