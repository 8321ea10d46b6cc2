/** Field cases (docs/field-cases.md) whose result depends on the browser's engine. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import type { Engine } from './engine.ts';
import {
  type ChosenFile,
  endlessPhoto,
  ffmpeg,
  quartersOf,
  rgb,
  turnedPhoto,
  wideColourPhoto,
} from './field-files.ts';
import {
  chooseFiles,
  countPictureMessages,
  doesCanvasFalsify,
  drawHalfTransparent,
  fill,
  type Peer,
  pickWord,
  readGalleryVideos,
  readNewest,
  readUploads,
  recordUploads,
  signInAsDemo,
} from './field-page.ts';
import { startFirefox } from './firefox.ts';
import { CHOOSE_PICTURES, openPicker } from './picker.ts';
import { button, ENTER, field, Tab } from './tab.ts';
import { test } from './test.ts';

const { step } = test;

const CONTROL = '\uE009';
const RIGHT = '\uE014';
const fieldFor = ({ firstName }: Peer) => field(`Message to ${firstName}`);
const zoneField = { css: 'select', name: 'Time zone' };

// A device whose zone its browser does not know.
test.use({ deviceZone: 'Foo/Bar' });

test('texts, pictures, recordings and dates are right in this engine', async ({ engine, server }, {
  project,
}) => {
  test.setTimeout(360_000);
  const tab = new Tab(engine, server.url);
  await tab.open('/');
  const [one, other] = await engine.call(signInAsDemo);
  if (!one || !other) throw new Error('the demo member has no two conversations');
  const written = () =>
    engine.call(() => document.querySelector<HTMLTextAreaElement>('form textarea')?.value);
  const newest = () =>
    engine.call(() => {
      const bubbles = document.querySelectorAll<HTMLElement>('[data-testid=bubble-text]');
      // biome-ignore lint/performance/useDomNodeTextContent: textContent does not show how blanks are drawn
      return [...bubbles].at(-1)?.innerText;
    });

  await step('links end where their addresses end, and do not imitate a Latin host', async () => {
    await tab.open(`/messages/${one.id}`);
    const imitation = 'https://аррӏе.com/';
    await tab.type(fieldFor(one), `café https://example.test/a_ https://example.test/b，好 ${imitation}`);
    await tab.press(ENTER);
    await tab.click(button('Send anyway')); // it looks like advertising
    const links = { css: '[data-testid=bubble-text] a' };
    await tab.until('the links', async () => {
      const shown = (await tab.texts(links)).slice(-3).join(' ');
      return shown === 'https://example.test/a_ https://example.test/b https://xn--80ak6aa92e.com/';
    });
  });

  await step('the Enter that picks a word does not send, and what follows a sent text stays', async () => {
    await tab.type(fieldFor(one), '日本');
    for (const isComposing of [true, false]) await engine.call(pickWord, isComposing);
    await tab.press(`語${ENTER}next`);
    await tab.until('the whole word is sent', async () => (await newest()) === '日本語');
    expect(await written()).toBe('next');
  });

  await step('a paste that does not fit is refused, and one that fits keeps its blanks', async () => {
    const long = 'x'.repeat(2100);
    await engine.call(fill, 'form textarea', long);
    await copyAndPasteBehind(engine);
    await tab.waitForText('200 characters do not fit into this field');
    expect(await written()).toBe(long);
    const lines = 'one  two\n\n\tthree 👩‍👩‍👧';
    await engine.call(fill, 'form textarea', lines);
    await copyAndPasteBehind(engine);
    await tab.until('both are in the field', async () => (await written()) === lines + lines);
    await tab.press(ENTER);
    await tab.until('it is shown as it was written', async () => (await newest()) === lines + lines);
  });

  await step('a text for one person does not stand in the field of the next', async () => {
    await tab.type(fieldFor(one), 'only for the first');
    await tab.open(`/messages/${other.id}`);
    await tab.waitFor(fieldFor(other));
    expect(await written()).toBe('');
    await tab.open(`/messages/${one.id}`);
    await tab.until('the text is kept', async () => (await written()) === 'only for the first');
  });

  await step('the search ignores accents', async () => {
    await tab.open('/messages');
    await tab.type({ css: 'input[type=search]' }, 'CAFE https');
    await tab.until('the found text is marked', async () => {
      return (await tab.texts({ css: 'mark' })).includes('café https');
    });
  });

  await step('transparent parts of a picture become white', async () => {
    await tab.open(`/messages/${one.id}`);
    await tab.waitFor(fieldFor(one));
    const png = { name: 'half.png', type: 'image/png', base64: await engine.call(drawHalfTransparent) };
    const [half = ''] = await sendPictures(tab, one, [png]);
    expect(quartersOf(half)).toEqual(['FFF', 'F00', 'FFF', 'F00']);
  });

  await step('photos stand upright, and keep their colours', async () => {
    const photos = [turnedPhoto(), endlessPhoto(), wideColourPhoto()];
    const [turned = '', endless = '', wide = ''] = await sendPictures(tab, one, photos);
    expect(quartersOf(turned), 'the mirrored photo').toEqual(['F00', '00F', '0F0', 'FFF']);
    expect(quartersOf(endless), 'the panorama').toEqual(['F00', '0F0', '00F', 'FFF']);
    const [red = 0, green = 0, blue = 0] = rgb(wide);
    expect(Math.abs(red - 193), `${red} of the red of Display P3`).toBeLessThan(6);
    expect(Math.abs(green - 83), `${green} of its green`).toBeLessThan(6);
    expect(Math.abs(blue - 51), `${blue} of its blue`).toBeLessThan(6);
  });

  await step('pictures that wait for each other all arrive, and no upload stalls', async () => {
    const before = await engine.call(countPictureMessages, one.id);
    await engine.call(recordUploads);
    const pictures = [turnedPhoto(), wideColourPhoto(), turnedPhoto(), wideColourPhoto()];
    for (const picture of pictures) {
      await openPicker(tab);
      await engine.call(chooseFiles, CHOOSE_PICTURES, [picture]);
      await tab.click(button('Send'));
    }
    await tab.until('all are stored', async () => {
      return (await engine.call(countPictureMessages, one.id)) === before + pictures.length;
    });
    // The app aborts an upload that stalls for 30 s, and then asks for its offset (HEAD).
    expect(await engine.call(readUploads)).toEqual(pictures.flatMap(() => ['POST', 'PATCH']));
  });

  // WebKitGTK has no devices.
  if (project.name === 'webkit') return;

  await step('a voice message has all its sound', async () => {
    await tab.click(button('Record a voice message'));
    await tab.until('two seconds', async () => /0:0[2-9] of 1:00/.test(await tab.text()));
    await tab.click(button('Stop'));
    await tab.click(button('Send'));
    const { durationMs, files } = await tab.until('the voice is stored', async () => {
      const message = await engine.call(readNewest, one.id);
      return message.messageType === 'audio' && message;
    });
    const samples = ffmpeg(
      ['-i', '-', '-ac', '1', '-ar', '8000', '-f', 's16le'],
      Buffer.from(files[0] ?? '', 'base64'),
    );
    expect(durationMs).toBeGreaterThan(1900);
    expect(samples.length / 16, 'ms of sound; a busy machine leaves gaps').toBeGreaterThan(durationMs * 0.9);
  });

  await step(
    'a date is planned in the chosen zone, as the device names none, after an hour that is skipped',
    async () => {
      const { zone, day } = nextSkippedHour();
      await openPlan(tab);
      await tab.type(field('Where'), 'The lake');
      await engine.call(fill, 'dialog input[type=date]', day);
      await engine.call(fill, 'dialog input[type=time]', '02:30');
      await engine.call(fill, 'dialog select', zone);
      await tab.click(button(/^Ask /));
      await tab.waitForText('3:30 AM');
      const [date] = await server.query(
        `SELECT time_zone AS zone, to_char(at AT TIME ZONE time_zone, 'YYYY-MM-DD HH24:MI') AS clock
      FROM dates WHERE place = $1`,
        ['The lake'],
      );
      expect(date).toEqual({ zone, clock: `${day} 03:30` });
    },
  );

  await step('a video without a duration is added to the gallery', async () => {
    const before = (await engine.call(readGalleryVideos)).length;
    await tab.open('/profile');
    await tab.click(button('Edit Profile'));
    await tab.click(button(/^Gallery/));
    await tab.waitFor(button('Record a video'));
    const base64 = readFileSync(videoFile).toString('base64');
    await engine.call(chooseFiles, 'input[accept="video/*"]', [
      { name: 'a.webm', type: 'video/webm', base64 },
    ]);
    await tab.until('the video is stored', async () => {
      const types = await engine.call(readGalleryVideos);
      return types.length === before + 1 && types.at(-1) === 'video/mp4';
    });
  });
});

/** Returns the next Sunday on which clocks go from 2 to 3, in one of two zones; at least one is in this time. */
function nextSkippedHour(): { zone: string; day: string } {
  for (let days = 2; days < 360; days += 1) {
    const date = new Date(Date.now() + days * 86_400_000);
    const [dayOfMonth, day] = [date.getUTCDate(), date.toISOString().slice(0, 10)];
    if (date.getUTCMonth() !== 2 || date.getUTCDay() !== 0) continue;
    if (dayOfMonth > 7 && dayOfMonth < 15) return { zone: 'America/New_York', day };
    if (dayOfMonth > 24) return { zone: 'Europe/Berlin', day };
  }
  throw new Error('a year without spring');
}

/** Recorded live by Chromium, in VP8. */
const videoFile = path.join(import.meta.dirname, '../../../api/platform/recordings/testdata/video.webm');

test('a browser that resists fingerprinting sends a large photo as it is, and asks for the zone of a date', async ({
  server,
}, { project }) => {
  test.skip(project.name !== 'firefox', 'only Firefox has the setting');
  test.setTimeout(180_000);
  const engine = await startFirefox('America/New_York', { 'privacy.resistFingerprinting': true });
  try {
    const tab = new Tab(engine, server.url);
    await tab.open('/');
    expect(await engine.call(doesCanvasFalsify)).toBe(true);
    const [peer] = await engine.call(signInAsDemo);
    if (!peer) throw new Error('the demo member has no conversation');
    await tab.open(`/messages/${peer.id}`);
    await tab.waitFor(fieldFor(peer));
    await step('a large photo is stored without noise', async () => {
      // Larger than stored pictures are, so that other browsers draw it smaller on a canvas.
      const red = 'color=red:size=2400x1200';
      const photo = ffmpeg(['-f', 'lavfi', '-i', red, '-frames:v', '1', '-c:v', 'png', '-f', 'image2pipe']);
      await openPicker(tab);
      const file = { name: 'red.png', type: 'image/png', base64: photo.toString('base64') };
      await engine.call(chooseFiles, CHOOSE_PICTURES, [file]);
      await tab.click(button('Send'));
      const stored = await tab.until('the picture is stored', async () => {
        const { messageType, files } = await engine.call(readNewest, peer.id);
        return messageType === 'image' && files[0];
      });
      const pixels = rgb(stored);
      const isRed = (at: number) =>
        (pixels[at] ?? 0) > 230 && Math.max(...pixels.subarray(at + 1, at + 3)) < 25;
      const others = Array.from({ length: pixels.length / 3 }, (_, index) => 3 * index).filter(
        (at) => !isRed(at),
      );
      expect(pixels.length).toBe(3 * 1600 * 800);
      expect(others).toEqual([]);
    });
    await step('a date asks for its zone: the one that is named is the same for everybody', async () => {
      await openPlan(tab);
      await tab.waitFor(zoneField);
    });
  } finally {
    await engine.close();
  }
});

/** Sends pictures, and returns them as the server has them, in base64. */
async function sendPictures(tab: Tab, { id }: Peer, pictures: ChosenFile[]): Promise<string[]> {
  await openPicker(tab);
  await tab.engine.call(chooseFiles, CHOOSE_PICTURES, pictures);
  await tab.click(button('Send'));
  const stored = await tab.until('the pictures are stored', async () => {
    const message = await tab.engine.call(readNewest, id);
    return message.files.length === pictures.length && message;
  });
  return stored.files;
}

async function openPlan(tab: Tab): Promise<void> {
  await tab.click(button('Add a picture, a video or more'));
  await tab.click(button('Plan a date'));
}

/** Copies the text of the focused field and pastes it behind itself, by the keys of the system's clipboard. */
async function copyAndPasteBehind(engine: Engine): Promise<void> {
  const withControl = (key: string) => [
    { type: 'keyDown' as const, value: CONTROL },
    { type: 'keyDown' as const, value: key },
    { type: 'keyUp' as const, value: key },
    { type: 'keyUp' as const, value: CONTROL },
  ];
  const actions = [
    ...withControl('a'),
    ...withControl('c'),
    { type: 'keyDown' as const, value: RIGHT },
    { type: 'keyUp' as const, value: RIGHT },
    ...withControl('v'),
  ];
  await engine.perform([{ type: 'key', id: 'keyboard', actions }]);
}
