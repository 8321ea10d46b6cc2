import path from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { expectReadableInEveryTheme } from './support/axe.ts';
import { launchOptions } from './support/browser.ts';
import { FaultyWay } from './support/faulty-way.ts';
import {
  installed,
  join,
  match,
  newPhone,
  openConversation,
  type Person,
  ticks,
  withWorker,
} from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

// A camera and a microphone that Chromium plays itself.
test.use({
  launchOptions: {
    ...launchOptions,
    args: [
      ...(launchOptions.args ?? []),
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
    ],
  },
});

const portrait = path.resolve(import.meta.dirname, 'support/portrait.jpg');

type Pair = { a: BrowserContext; b: BrowserContext; ann: Person; ben: Person };

/** Ann and Ben, matched, each on a phone that reaches the server by an address of its own. */
async function pair(
  browser: Parameters<typeof newPhone>[0],
  server: Server,
  addressA = server.url,
): Promise<Pair> {
  const a = await newPhone(browser, addressA, withWorker);
  const b = await newPhone(browser, server.url, withWorker);
  const ann = await join(a, server, 'Ann Harper');
  const ben = await join(b, server, 'Ben Lowe');
  await match(a, ann, b, ben);
  return { a, b, ann, ben };
}

const voicePanel = (page: Page) => page.getByRole('region', { name: 'Voice message' });

/** Begins a voice and waits until its clock has moved on. */
async function beginVoice(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Record a voice message' }).click();
  await expect(voicePanel(page).getByText(/^0:(0[2-9]|[1-5]\d) of 1:00/)).toBeVisible();
}

async function recordVoice(page: Page): Promise<void> {
  await beginVoice(page);
  await voicePanel(page).getByRole('button', { name: 'Stop' }).click();
}

async function sendVoice(page: Page): Promise<void> {
  await recordVoice(page);
  await voicePanel(page).getByRole('button', { name: 'Send' }).click();
  await expect(voicePanel(page)).toBeHidden();
}

async function choosePictures(
  page: Page,
  files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0],
) {
  await page.getByRole('button', { name: 'Add a picture, a video or more' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Pictures' }).click();
  await (await chooser).setFiles(files as string[]);
}

/** Sends the chosen pictures and waits until they stand in the conversation. */
async function sendPictures(page: Page): Promise<void> {
  const tray = page.getByRole('region', { name: 'Pictures to send' });
  await tray.getByRole('button', { name: 'Send' }).click();
  await expect(tray).toBeHidden();
  await expect(page.getByRole('button', { name: /^Look at Your picture/ }).first()).toBeVisible();
}

const timeOf = (page: Page, kind: 'audio' | 'video') =>
  page
    .locator(kind)
    .first()
    .evaluate((element) => (element as HTMLMediaElement).currentTime);

/** What the other phone is told of the newest message. */
type Sent = {
  messageType: string;
  content: string;
  attachments: { id: string; url: string; durationMs: number }[];
};
async function sentTo(phone: BrowserContext, other: Person): Promise<Sent[]> {
  return (await (await phone.request.get(`/api/messages/${other.id}`)).json()) as Sent[];
}

test('a voice is recorded, heard before it is sent, and played by the other phone', async ({
  browser,
  server,
}) => {
  const { a, b, ann, ben } = await pair(browser, server);
  const pageA = await openConversation(a, ben);
  const pageB = await openConversation(b, ann);
  await recordVoice(pageA);
  await voicePanel(pageA).getByRole('button', { name: 'Play Your recording' }).click();
  await expect.poll(() => timeOf(pageA, 'audio')).toBeGreaterThan(0.2);
  await voicePanel(pageA).getByRole('button', { name: 'Send' }).click();
  await expect(pageA.getByRole('button', { name: 'Play Your voice message' })).toBeVisible();
  await expect(ticks(pageA, 'waiting')).toHaveCount(0);

  await pageB.getByRole('button', { name: 'Play Ann’s voice message' }).click();
  await expect.poll(() => timeOf(pageB, 'audio')).toBeGreaterThan(0.2);
  await pageB.getByRole('button', { name: 'Speed 1 times; change it' }).click();
  const rate = () => pageB.locator('audio').evaluate((element) => (element as HTMLAudioElement).playbackRate);
  expect(await rate()).toBe(1.25);

  const [message] = await sentTo(b, ann);
  expect(message).toMatchObject({ messageType: 'audio', content: '' });
  const [file] = message?.attachments ?? [];
  expect(file?.durationMs).toBeGreaterThan(900);
  const part = await b.request.get(file?.url ?? '', { headers: { Range: 'bytes=0-9' } });
  expect([part.status(), (await part.body()).length]).toEqual([206, 10]);
  await Promise.all([a.close(), b.close()]);
});

test('a video of the front camera is sent and seen', async ({ browser, server }) => {
  const { a, b, ann, ben } = await pair(browser, server);
  const pageA = await openConversation(a, ben);
  const pageB = await openConversation(b, ann);
  await pageA.getByRole('button', { name: 'Add a picture, a video or more' }).click();
  await pageA.getByRole('button', { name: 'Video message' }).click();
  const sheet = pageA.getByRole('dialog', { name: 'Video message' });
  await sheet.getByRole('button', { name: 'Start recording' }).click();
  await expect(sheet.getByText(/^0:(0[2-9]|[12]\d) of 0:30/)).toBeVisible();
  await sheet.getByRole('button', { name: 'Stop' }).click();
  await sheet.getByRole('button', { name: 'Send' }).click();
  await expect(sheet).toBeHidden();
  await expect(pageA.getByRole('button', { name: 'Play Your video message' })).toBeVisible();
  await expect(ticks(pageA, 'waiting')).toHaveCount(0);
  await pageB.getByRole('button', { name: 'Play Ann’s video message' }).click();
  await expect.poll(() => timeOf(pageB, 'video')).toBeGreaterThan(0.2);
  await expect(pageB.locator('video')).toHaveAttribute('poster', /poster\.webp$/);
  await Promise.all([a.close(), b.close()]);
});

test('three pictures go at once, with a caption, and are looked at over the whole screen', async ({
  browser,
  server,
}) => {
  const { a, b, ann, ben } = await pair(browser, server);
  const pageA = await openConversation(a, ben);
  const pageB = await openConversation(b, ann);
  await choosePictures(pageA, [portrait, portrait, portrait, portrait]);
  const tray = pageA.getByRole('region', { name: 'Pictures to send' });
  await expect(tray.getByText('4 pictures')).toBeVisible();
  await tray.getByRole('button', { name: 'Remove picture 4' }).click();
  await tray.getByRole('textbox', { name: 'Add a caption' }).fill('From the lake');
  await sendPictures(pageA);
  await expect(ticks(pageA, 'waiting')).toHaveCount(0);

  await expect(pageB.getByTestId('bubble-text')).toHaveText('From the lake');
  await pageB.getByRole('button', { name: 'Look at Ann’s picture 2 of 3' }).click();
  const viewer = pageB.getByRole('dialog', { name: 'Ann’s pictures' });
  await expect(viewer.getByText('2 of 3')).toBeVisible();
  await pageB.keyboard.press('ArrowRight');
  await expect(viewer.getByText('3 of 3')).toBeVisible();
  await expect(viewer.getByRole('link', { name: 'Save picture' })).toHaveAttribute('href', /full\.webp$/);
  await pageB.keyboard.press('Escape');
  await expect(viewer).toBeHidden();
  expect((await sentTo(b, ann))[0]?.attachments).toHaveLength(3);
  await Promise.all([a.close(), b.close()]);
});

test('what is recorded without a network is there to be heard, and goes when the network is back', async ({
  browser,
  ownServer,
}) => {
  const { a, b, ann, ben } = await pair(browser, ownServer);
  let pageA = await openConversation(a, ben);
  await installed(pageA);
  await ownServer.stop();
  await sendVoice(pageA);
  await expect(ticks(pageA, 'waiting')).toHaveCount(1);
  await pageA.close();
  pageA = await a.newPage();
  await pageA.goto(`/messages/${ben.id}`);
  await pageA.getByRole('button', { name: 'Play Your voice message' }).click();
  await expect.poll(() => timeOf(pageA, 'audio')).toBeGreaterThan(0.2);
  await ownServer.start();
  await expect(ticks(pageA, 'waiting')).toHaveCount(0);
  expect(await sentTo(b, ann)).toHaveLength(1);
  await Promise.all([a.close(), b.close()]);
});

test('an upload that is cut goes on where it was', async ({ browser, ownServer }) => {
  const proxy = await FaultyWay.before(ownServer);
  const { a, b, ann, ben } = await pair(browser, ownServer, proxy.url);
  const pageA = await openConversation(a, ben);
  const seen: string[] = [];
  let cuts = 1;
  proxy.onAnswer = ({ method, url }) => {
    if (!url?.startsWith('/api/uploads')) return 'deliver';
    seen.push(`${method} ${url.split('/').length > 3 ? 'it' : 'new'}`);
    // The server has the first piece, and the phone does not hear of it.
    if (method === 'PATCH' && cuts-- > 0) return 'cut';
    return 'deliver';
  };
  await choosePictures(pageA, [
    { name: 'noise.png', mimeType: 'image/png', buffer: await noisyPicture(pageA) },
  ] as never);
  await sendPictures(pageA);
  await expect(ticks(pageA, 'waiting')).toHaveCount(0);
  expect(
    seen.filter((request) => request === 'POST new'),
    'one upload only',
  ).toHaveLength(1);
  // The browser itself may have tried the cut piece once more; then the server is asked where it stands.
  const asked = seen.indexOf('HEAD it');
  expect(asked).toBeGreaterThan(seen.indexOf('PATCH it'));
  expect(seen.slice(asked)).toContain('PATCH it');
  expect((await sentTo(b, ann))[0]?.attachments).toHaveLength(1);
  await Promise.all([a.close(), b.close()]);
  await proxy.close();
});

/** A picture that does not get smaller by packing: a few megabytes in more than one piece. */
async function noisyPicture(page: Page): Promise<Buffer> {
  const data = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 900;
    const context = canvas.getContext('2d');
    const noise = context?.createImageData(900, 900);
    if (!context || !noise) throw new Error('no canvas');
    for (let at = 0; at < noise.data.length; at += 65_536)
      crypto.getRandomValues(noise.data.subarray(at, Math.min(at + 65_536, noise.data.length)));
    for (let at = 3; at < noise.data.length; at += 4) noise.data[at] = 255;
    context.putImageData(noise, 0, 0);
    return canvas.toDataURL('image/png');
  });
  return Buffer.from(data.slice(data.indexOf(',') + 1), 'base64');
}

test('a crash while recording loses a second at most: what there is can be heard, sent or discarded', async ({
  browser,
  server,
}) => {
  const { a, b, ann, ben } = await pair(browser, server);
  for (const decision of ['Discard', 'Send'] as const) {
    const page = await openConversation(a, ben);
    await beginVoice(page);
    await expect.poll(() => chunksOn(page, ann)).toBeGreaterThan(1);
    // Gone without a goodbye, as when the phone kills the app.
    const devtools = await a.newCDPSession(page);
    const crashed = page.waitForEvent('crash');
    // A page that is gone does not answer.
    void devtools.send('Page.crash').catch(() => undefined);
    await crashed;
    await page.close();

    const again = await openConversation(a, ben);
    const offer = again.getByRole('region', { name: 'Unsent recording' });
    await expect(offer.getByText('You have an unsent recording')).toBeVisible();
    await offer.getByRole('button', { name: 'Listen' }).click();
    await offer.getByRole('button', { name: 'Play Unsent recording' }).click();
    await expect.poll(() => timeOf(again, 'audio')).toBeGreaterThan(0.2);
    await offer.getByRole('button', { name: decision }).click();
    await expect(offer).toBeHidden();
    if (decision === 'Send') {
      await expect(again.getByRole('button', { name: 'Play Your voice message' })).toBeVisible();
      await expect(ticks(again, 'waiting')).toHaveCount(0);
    }
    expect(await chunksOn(again, ann)).toBe(0);
    await again.close();
  }
  const [message, ...others] = await sentTo(b, ann);
  expect(others).toEqual([]);
  expect(message?.attachments[0]?.durationMs).toBeGreaterThan(900);
  await Promise.all([a.close(), b.close()]);
});

/** How many seconds of recordings a phone keeps. */
const chunksOn = (page: Page, person: Person) =>
  page.evaluate(
    (name) =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const counting = opening.result.transaction('chunks').objectStore('chunks').count();
          counting.onsuccess = () => {
            opening.result.close();
            resolve(counting.result);
          };
        };
      }),
    `heartward-${person.id}`,
  );

test('leaving the conversation in mid-recording keeps it', async ({ browser, server }) => {
  const { a, b, ben } = await pair(browser, server);
  const page = await openConversation(a, ben);
  await beginVoice(page);
  await voicePanel(page).getByRole('button', { name: 'Close, and keep what was recorded' }).click();
  await expect(page.getByText('You have an unsent recording')).toBeVisible();
  await Promise.all([a.close(), b.close()]);
});

test('what is no picture is refused with the reason, kept, and can be discarded', async ({
  browser,
  server,
}) => {
  const { a, b, ann, ben } = await pair(browser, server);
  const page = await openConversation(a, ben);
  const buffer = Buffer.from('These are words and no picture at all.'.repeat(20));
  await choosePictures(page, [{ name: 'words.heic', mimeType: 'image/heic', buffer }] as never);
  await sendPictures(page);
  await expect(ticks(page, 'failed')).toHaveCount(1);
  await expect(page.getByText(/^Not sent\. \S/)).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(ticks(page, 'failed')).toHaveCount(0);
  expect(await sentTo(b, ann)).toEqual([]);
  await Promise.all([a.close(), b.close()]);
});

test('an upload that the server has forgotten starts anew', async ({ browser, ownServer }) => {
  const proxy = await FaultyWay.before(ownServer);
  const { a, b, ann, ben } = await pair(browser, ownServer, proxy.url);
  const page = await openConversation(a, ben);
  let created = 0;
  let cuts = 0;
  proxy.onAnswer = async ({ method, url }) => {
    if (method === 'POST' && url === '/api/uploads') created += 1;
    // Twice: the browser itself tries a cut request once more.
    if (method !== 'PATCH' || cuts === 2) return 'deliver';
    cuts += 1;
    if (cuts === 2) await ownServer.query('DELETE FROM uploads');
    return 'cut';
  };
  await choosePictures(page, portrait);
  await sendPictures(page);
  await expect(ticks(page, 'waiting')).toHaveCount(0);
  expect(created).toBe(2);
  expect((await sentTo(b, ann))[0]?.attachments).toHaveLength(1);
  await Promise.all([a.close(), b.close()]);
  await proxy.close();
});

test('a voice that was heard is heard again without a network', async ({ browser, ownServer }) => {
  const { a, b, ann, ben } = await pair(browser, ownServer);
  const pageA = await openConversation(a, ben);
  let pageB = await openConversation(b, ann);
  await installed(pageB);
  await sendVoice(pageA);
  await pageB.getByRole('button', { name: 'Play Ann’s voice message' }).click();
  const kept = () =>
    pageB.evaluate(
      (name) =>
        new Promise<number>((resolve) => {
          const opening = indexedDB.open(name);
          opening.onsuccess = () => {
            const counting = opening.result.transaction('blobs').objectStore('blobs').count();
            counting.onsuccess = () => {
              opening.result.close();
              resolve(counting.result);
            };
          };
        }),
      `heartward-${ben.id}`,
    );
  await expect.poll(kept).toBe(1);
  await ownServer.stop();
  await pageB.close();
  pageB = await b.newPage();
  await pageB.goto(`/messages/${ann.id}`);
  await pageB.getByRole('button', { name: 'Play Ann’s voice message' }).click();
  await expect.poll(() => timeOf(pageB, 'audio')).toBeGreaterThan(0.2);
  await Promise.all([a.close(), b.close()]);
});

test('a microphone that is not allowed is explained', async ({ browser, server }) => {
  const { a, b, ben } = await pair(browser, server);
  const page = await a.newPage();
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  });
  await page.goto(`/messages/${ben.id}`);
  await page.getByRole('button', { name: 'Record a voice message' }).click();
  await expect(voicePanel(page).getByRole('alert')).toContainText('Microphone Access Required');
  await expect(voicePanel(page).getByRole('alert')).toContainText(
    'Please allow microphone access to record voice messages.',
  );
  await Promise.all([a.close(), b.close()]);
});

test('the demonstration records, plays and lists, and sends nothing', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Dora Demo');
  const page = await phoneA.newPage();
  const written: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') written.push(request.url());
  });
  await page.goto('/media-demo');
  const part = page.getByRole('region', { name: 'Voice message' });
  await part.getByRole('button', { name: 'Record your voice' }).click();
  await expect(part.getByText(/^0:(0[1-9]|[1-5]\d) of 1:00/)).toBeVisible();
  await part.getByRole('button', { name: 'Stop' }).click();
  await part.getByRole('button', { name: 'Send' }).click();
  const session = page.getByRole('region', { name: 'Your session' });
  await session.getByRole('button', { name: 'Play Recording 1' }).click();
  await expect.poll(() => timeOf(page, 'audio')).toBeGreaterThan(0.1);
  const sample = page.getByRole('region', { name: 'All in one place' });
  await sample.getByRole('textbox', { name: 'Message to Alex' }).fill('Hello Alex');
  await sample.getByRole('button', { name: 'Send message' }).click();
  await expect(session.getByText('Hello Alex')).toBeVisible();
  await expect(part.getByRole('button', { name: 'Record your voice' })).toBeVisible();
  expect(written).toEqual([]);
});

test('every part is readable for all in every theme', async ({ browser, server }) => {
  const { a, b, ann, ben } = await pair(browser, server);
  const page = await openConversation(a, ben);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.getByRole('button', { name: 'Add a picture, a video or more' }).click();
  await expectReadableInEveryTheme(page, 'the menu');
  await page.keyboard.press('Escape');
  await beginVoice(page);
  await expectReadableInEveryTheme(page, 'recording a voice');
  await voicePanel(page).getByRole('button', { name: 'Stop' }).click();
  await expectReadableInEveryTheme(page, 'a voice to be sent');
  await voicePanel(page).getByRole('button', { name: 'Send' }).click();
  await choosePictures(page, [portrait, portrait]);
  await expect(page.getByText('2 pictures')).toBeVisible();
  await expectReadableInEveryTheme(page, 'pictures to be sent');
  await sendPictures(page);
  await expect(ticks(page, 'waiting')).toHaveCount(0);
  await expectReadableInEveryTheme(page, 'what was sent');
  const other = await openConversation(b, ann);
  await other.emulateMedia({ reducedMotion: 'reduce' });
  await expect(other.getByRole('button', { name: 'Play Ann’s voice message' })).toBeVisible();
  await expectReadableInEveryTheme(other, 'what came');
  await other.getByRole('button', { name: 'Look at Ann’s picture 1 of 2' }).click();
  await expectReadableInEveryTheme(other, 'the viewer');
  await Promise.all([a.close(), b.close()]);
});
