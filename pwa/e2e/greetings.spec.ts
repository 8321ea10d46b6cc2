import path from 'node:path';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { openEditor, openSection, portraitFile } from './support/editor.ts';
import { join } from './support/phones.ts';
import { expect, test } from './support/test.ts';

const videoFile = path.join(import.meta.dirname, '../../api/platform/recordings/testdata/video.webm');

/** Records for two seconds and stops. A busy machine needs a moment for the first frames. */
async function record(sheet: Locator, start: string): Promise<void> {
  await sheet.getByRole('button', { name: start }).click();
  await expect(sheet.getByText(/^0:(0[2-9]|[1-5]\d) of/)).toBeVisible();
  await sheet.getByRole('button', { name: 'Stop' }).click();
}

const currentTimeOf = (page: Page, kind: 'audio' | 'video') =>
  page
    .locator(kind)
    .first()
    .evaluate((element) => (element as HTMLMediaElement).currentTime);
const isPaused = (page: Page, kind: 'audio' | 'video') =>
  page
    .locator(kind)
    .first()
    .evaluate((element) => (element as HTMLMediaElement).paused);

const topOf = (button: Locator) => button.evaluate((element) => element.getBoundingClientRect().top);

type Greeting = { id: string; url: string; durationMs: number; waveform: number[]; posterUrl: string | null };
type Greetings = { audioGreeting: Greeting | null; videoGreeting: Greeting | null };
const greetingsOf = async (phone: BrowserContext) =>
  (await (await phone.request.get('/api/auth/user')).json()) as Greetings;

test('a voice greeting is recorded, played back, saved, heard by another member, and deleted', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const vera = await join(phoneA, server, 'Vera Voice');
  await join(phoneB, server, 'Luis Listener');
  const page = await phoneA.newPage();
  await openEditor(page);
  const sheet = await openSection(page, 'Voice greeting');
  await record(sheet, 'Record your voice');
  await sheet.getByRole('button', { name: 'Play Your recording' }).click();
  await expect.poll(() => currentTimeOf(page, 'audio')).toBeGreaterThan(0.2);
  await sheet.getByRole('button', { name: 'Discard' }).click();
  await record(sheet, 'Record your voice');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect(sheet.getByRole('button', { name: 'Record again' })).toBeVisible();
  await sheet.getByRole('button', { name: 'Add its words' }).click();
  await page.getByLabel('Description').fill('Hello, I am Vera.');
  await page.getByRole('dialog', { name: 'The words' }).getByRole('button', { name: 'Save' }).click();
  await expect(sheet.getByText('Hello, I am Vera.')).toBeVisible();

  const { audioGreeting } = await greetingsOf(phoneA);
  expect(audioGreeting?.durationMs).toBeGreaterThan(900);
  expect(audioGreeting?.waveform).toHaveLength(64);
  expect(Math.max(...(audioGreeting?.waveform ?? []))).toBe(100);
  const part = await phoneB.request.get(audioGreeting?.url ?? '', { headers: { Range: 'bytes=0-9' } });
  expect([part.status(), (await part.body()).length]).toEqual([206, 10]);

  const other = await phoneB.newPage();
  await other.goto(`/profile/${vera.id}`);
  await expect(other.getByText('Hello, I am Vera.')).toBeVisible();
  await other.getByRole('button', { name: 'Play Vera’s voice greeting' }).click();
  await expect.poll(() => currentTimeOf(other, 'audio')).toBeGreaterThan(0.2);
  await other.getByRole('button', { name: 'Pause Vera’s voice greeting' }).click();
  const line = other.getByRole('slider', { name: 'Position in Vera’s voice greeting' });
  await line.press('Home');
  await expect.poll(() => currentTimeOf(other, 'audio')).toBe(0);
  await expect(line).toHaveAttribute('aria-valuetext', /^0 seconds of [1-9]/);

  await sheet.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete voice greeting' }).click();
  await expect(sheet.getByRole('button', { name: 'Record your voice' })).toBeVisible();
  expect((await greetingsOf(phoneA)).audioGreeting).toBeNull();
  expect((await phoneB.request.get(audioGreeting?.url ?? '')).status()).toBe(404);
});

test('a prompt is answered with a recording, which another member hears and likes and its author removes', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const vera = await join(phoneA, server, 'Vera Voice');
  const luis = await join(phoneB, server, 'Luis Listener');
  const page = await phoneA.newPage();
  await openEditor(page);
  const sheet = await openSection(page, 'Prompts');
  await sheet.getByRole('button', { name: 'Add a prompt' }).click();
  await page.getByRole('tab', { name: 'Fun' }).click();
  await page.getByRole('button', { name: 'Ask me about' }).click();
  await expect(sheet.getByLabel('Your answer')).toBeFocused();
  await sheet.getByRole('button', { name: 'Answer with your voice' }).click();
  const recorder = page.getByRole('dialog', { name: 'Ask me about' });
  await expect(recorder.getByText('Up to 30 seconds')).toBeVisible();
  await record(recorder, 'Record your voice');
  await recorder.getByRole('button', { name: 'Save' }).click();
  await expect(recorder).toBeHidden();
  await expect(sheet.getByRole('button', { name: 'Play Your answer to “Ask me about”' })).toBeVisible();
  await sheet.getByLabel('In words (optional)').fill('My ice cream truck.');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect(sheet).toBeHidden();

  const other = await phoneB.newPage();
  await other.goto(`/profile/${vera.id}`);
  await expect(other.getByText('My ice cream truck.')).toBeVisible();
  await other.getByRole('button', { name: 'Play Vera’s answer to “Ask me about”' }).click();
  await expect.poll(() => currentTimeOf(other, 'audio')).toBeGreaterThan(0.2);
  await other.getByRole('button', { name: 'Like the answer to “Ask me about”' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Like', exact: true }).click();
  await expect
    .poll(() =>
      server.query('SELECT prompt FROM user_likes WHERE from_user_id = $1 AND to_user_id = $2', [
        luis.id,
        vera.id,
      ]),
    )
    .toEqual([{ prompt: 'Ask me about' }]);

  await openSection(page, 'Prompts');
  await sheet.getByRole('button', { name: 'Remove recording' }).click();
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect(sheet).toBeHidden();
  const { prompts } = (await (await phoneA.request.get('/api/auth/user')).json()) as { prompts: unknown };
  expect(prompts).toEqual([{ question: 'Ask me about', answer: 'My ice cream truck.', voice: null }]);
});

test('a video greeting has a poster, and playing it pauses the other player', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const vito = await join(phoneA, server, 'Vito Video');
  await join(phoneB, server, 'Wanda Watcher');
  const page = await phoneA.newPage();
  await openEditor(page);
  for (const [part, start] of [
    ['Voice greeting', 'Record your voice'],
    ['Video greeting', 'Start recording'],
  ] as const) {
    const sheet = await openSection(page, part);
    await record(sheet, start);
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect(sheet.getByRole('button', { name: 'Record again' })).toBeVisible();
    await sheet.getByRole('button', { name: 'Done' }).click();
  }
  const { videoGreeting } = await greetingsOf(phoneA);
  expect((await phoneB.request.get(videoGreeting?.posterUrl ?? '')).status()).toBe(200);

  const other = await phoneB.newPage();
  await other.goto(`/profile/${vito.id}`);
  await other.getByRole('button', { name: 'Play Vito’s voice greeting' }).click();
  await expect.poll(() => isPaused(other, 'audio')).toBe(false);
  await other.getByRole('button', { name: 'Play Vito’s video greeting' }).click();
  await expect.poll(() => currentTimeOf(other, 'video')).toBeGreaterThan(0.2);
  expect(await isPaused(other, 'audio')).toBe(true);
  await other.getByRole('button', { name: 'Pause Vito’s video greeting' }).click();
  await expect(other.getByRole('button', { name: 'Play Vito’s video greeting' })).toBeVisible();
});

test('the gallery accepts pictures and a video', async ({ phoneA, phoneB, server }) => {
  const gus = await join(phoneA, server, 'Gus Gallery');
  await join(phoneB, server, 'Vi Visitor');
  const page = await phoneA.newPage();
  await openEditor(page);
  const sheet = await openSection(page, 'Gallery');
  await sheet.locator('input[accept="image/*"]').setInputFiles([portraitFile, portraitFile]);
  await expect(sheet.getByRole('img', { name: 'Picture 2' })).toBeVisible();
  await sheet.getByRole('button', { name: 'Record a video' }).click();
  await record(sheet, 'Start recording');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect(sheet.getByRole('button', { name: 'Play video 1' })).toBeVisible();
  await sheet.getByRole('button', { name: 'Delete picture 1' }).click();
  await page.getByRole('button', { name: 'Delete picture', exact: true }).click();
  await expect(sheet.getByRole('img', { name: 'Picture 2' })).toBeHidden();

  const other = await phoneB.newPage();
  await other.goto(`/profile/${gus.id}`);
  await expect(other.getByRole('heading', { name: 'From Gus’s life' })).toBeVisible();
  await expect(other.getByRole('img', { name: 'Picture 1 from Gus’s life' })).toBeVisible();
  await other.getByRole('button', { name: 'Play video 1 of Gus' }).click();
  await expect.poll(() => currentTimeOf(other, 'video')).toBeGreaterThan(0.1);
});

test('videos of the device are converted into the gallery, also one that no browser reads', async ({
  phoneA,
  server,
}) => {
  await join(phoneA, server, 'Gil Gallery');
  const page = await phoneA.newPage();
  await openEditor(page);
  const sheet = await openSection(page, 'Gallery');
  const file = sheet.locator('input[accept="video/*"]');
  // VP8, which cannot be copied into MP4.
  await file.setInputFiles(videoFile);
  await expect(sheet.getByRole('button', { name: 'Play video 1' })).toBeVisible();
  await file.setInputFiles({ name: 'a.mov', mimeType: 'video/quicktime', buffer: Buffer.from('no video') });
  await expect(sheet.getByRole('alert')).toHaveText(/^We could not read a video in this file\./);
  await file.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no video') });
  await expect(sheet.getByRole('alert')).toHaveText("This file isn't a video. Please choose another.");
  const { galleryVideos } = (await (await phoneA.request.get('/api/auth/user')).json()) as {
    galleryVideos: { url: string; mimeType: string; posterUrl: string | null }[];
  };
  expect(galleryVideos).toMatchObject([{ mimeType: 'video/mp4', posterUrl: expect.any(String) }]);
});

test('a denied microphone or camera is explained, and the rest of the editor works', async ({
  phoneA,
  server,
}) => {
  await join(phoneA, server, 'Nora Not');
  const page = await phoneA.newPage();
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  });
  await openEditor(page);
  const voice = await openSection(page, 'Voice greeting');
  await voice.getByRole('button', { name: 'Record your voice' }).click();
  await expect(voice.getByRole('alert')).toContainText('Microphone Access Required');
  await expect(voice.getByRole('alert')).toContainText(
    'Please allow microphone access to record voice messages.',
  );
  await expect(voice.getByRole('button', { name: 'Record your voice' })).toBeEnabled();
  await voice.getByRole('button', { name: 'Done' }).click();
  const video = await openSection(page, 'Video greeting');
  await video.getByRole('button', { name: 'Start recording' }).click();
  await expect(video.getByRole('alert')).toContainText('Camera Access Required');
  await expect(video.getByRole('alert')).toContainText(
    'Please allow camera and microphone access to record video messages.',
  );
});

test('both recorders pass axe in every theme before, during and after recording', async ({
  phoneA,
  server,
}) => {
  await join(phoneA, server, 'Ada Axe');
  const page = await phoneA.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openEditor(page);
  for (const [part, start] of [
    ['Voice greeting', 'Record your voice'],
    ['Video greeting', 'Start recording'],
  ] as const) {
    await test.step(part, async () => {
      const sheet = await openSection(page, part);
      await expectAccessibleInEveryTheme(page, `${part} at rest`);
      const isVideo = part === 'Video greeting';
      if (isVideo) await expect(sheet.getByLabel('Your camera')).toBeVisible();
      const top = await topOf(sheet.getByRole('button', { name: start }));
      await sheet.getByRole('button', { name: start }).click();
      await expect(sheet.getByText(/^0:(0[1-9]|[1-5]\d) of/)).toBeVisible();
      await expect(
        sheet.getByRole('button', { name: 'Stop' }),
        'the focus is on the button that replaces the pressed one',
      ).toBeFocused();
      await expectAccessibleInEveryTheme(page, `${part} recording`);
      await sheet.getByRole('button', { name: 'Stop' }).click();
      await expect(sheet.getByRole('button', { name: 'Save' })).toBeFocused();
      if (isVideo) expect(await topOf(sheet.getByRole('button', { name: 'Save' })), 'same top').toBe(top);
      await expectAccessibleInEveryTheme(page, `${part} recorded`);
      await sheet.getByRole('button', { name: 'Discard' }).click();
      await expect(sheet.getByRole('button', { name: start })).toBeFocused();
      await sheet.getByRole('button', { name: 'Done' }).click();
    });
  }
});
