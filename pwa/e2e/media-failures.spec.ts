import type { Page } from '@playwright/test';
import { portraitFile } from './support/editor.ts';
import { FaultyProxy } from './support/faulty-proxy.ts';
import {
  choosePictures,
  currentTimeOf,
  messagesWith,
  sendPictures,
  sendVoice,
  startVoice,
  voicePanel,
} from './support/media.ts';
import {
  afterRestart,
  openConversation,
  type Person,
  pair,
  sendMessage,
  ticks,
  waitForServiceWorker,
} from './support/phones.ts';
import { expect, test } from './support/test.ts';
import { openMenu } from './support/thread.ts';

test('a voice message recorded offline can be played, and is sent once the network is back', async ({
  browser,
  ownServer,
}) => {
  const { a, b, ann, ben } = await pair(browser, ownServer);
  let pageA = await openConversation(a, ben);
  await waitForServiceWorker(pageA);
  await sendMessage(pageA, 'Guess where I am');
  await expect(ticks(pageA, 'waiting')).toHaveCount(0);
  await openMenu(pageA, 'Guess where I am');
  await pageA.getByRole('button', { name: 'Reply' }).click();
  await ownServer.stop();
  await sendVoice(pageA);
  await expect(ticks(pageA, 'waiting')).toHaveCount(1);
  await expect(pageA.getByRole('button', { name: 'Do not reply to this message' })).toHaveCount(0);
  await pageA.close();
  pageA = await a.newPage();
  await pageA.goto(`/messages/${ben.id}`);
  await expect(pageA.getByRole('button', { name: /go to the message/ })).toContainText('Guess where I am');
  await pageA.getByRole('button', { name: 'Play Your voice message' }).click();
  await expect.poll(() => currentTimeOf(pageA, 'audio')).toBeGreaterThan(0.2);
  await ownServer.start();
  await expect(ticks(pageA, 'waiting')).toHaveCount(0, afterRestart);
  const messages = await messagesWith(b, ann);
  expect(messages.map(({ messageType, replyTo }) => [messageType, replyTo])).toContainEqual(['audio', 1]);
  expect(messages).toHaveLength(2);
  await Promise.all([a.close(), b.close()]);
});

test('an interrupted upload resumes at its offset', async ({ browser, ownServer }) => {
  const proxy = await FaultyProxy.start(ownServer);
  const { a, b, ann, ben } = await pair(browser, ownServer, { addressA: proxy.url, workerOn: 'neither' });
  const pageA = await openConversation(a, ben);
  const requests: string[] = [];
  let cuts = 1;
  proxy.onResponse = ({ method, url }) => {
    if (!url?.startsWith('/api/uploads')) return 'deliver';
    requests.push(`${method} ${url.split('/').length > 3 ? 'upload' : 'uploads'}`);
    // The server stores the first chunk, and the phone does not get the response.
    if (method === 'PATCH' && cuts-- > 0) return 'cut';
    return 'deliver';
  };
  await choosePictures(pageA, [
    { name: 'noise.png', mimeType: 'image/png', buffer: await noisyPicture(pageA) },
  ] as never);
  await sendPictures(pageA);
  await expect(ticks(pageA, 'waiting')).toHaveCount(0);
  expect(
    requests.filter((request) => request === 'POST uploads'),
    'a single upload was created',
  ).toHaveLength(1);
  // The browser itself may have repeated the cut request; then the app asks the server for the offset.
  const offsetRequest = requests.indexOf('HEAD upload');
  expect(offsetRequest).toBeGreaterThan(requests.indexOf('PATCH upload'));
  expect(requests.slice(offsetRequest)).toContain('PATCH upload');
  expect((await messagesWith(b, ann))[0]?.attachments).toHaveLength(1);
  await Promise.all([a.close(), b.close()]);
  await proxy.close();
});

test('a picture whose upload is created while the responses are lost arrives once', async ({
  browser,
  ownServer,
}) => {
  const proxy = await FaultyProxy.start(ownServer);
  const { a, b, ann, ben } = await pair(browser, ownServer, { addressA: proxy.url, workerOn: 'neither' });
  const pageA = await openConversation(a, ben);
  const ids = new Set<unknown>();
  let cuts = 3;
  proxy.onResponse = ({ method, url, headers }) => {
    if (method !== 'POST' || url?.split('?')[0] !== '/api/uploads') return 'deliver';
    ids.add(headers['upload-id']);
    return cuts-- > 0 ? 'cut' : 'deliver';
  };
  await choosePictures(pageA, [portraitFile] as never);
  await sendPictures(pageA);
  await expect(ticks(pageA, 'waiting')).toHaveCount(0);
  expect(ids.size, 'all requests name the same upload').toBe(1);
  expect((await messagesWith(b, ann))[0]?.attachments).toHaveLength(1);
  await Promise.all([a.close(), b.close()]);
  await proxy.close();
});

/** Returns a picture of noise, which does not compress: a few megabytes, more than one chunk. */
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

test('after a crash, the stored part of a recording can be played, sent or discarded', async ({
  browser,
  server,
}) => {
  const { a, b, ann, ben } = await pair(browser, server, { workerOn: 'neither' });
  for (const decision of ['Discard', 'Send'] as const) {
    const page = await openConversation(a, ben);
    await startVoice(page);
    await expect.poll(() => countChunks(page, ann)).toBeGreaterThan(1);
    // Ends the page without unload events, as when the phone kills the app.
    const devtools = await a.newCDPSession(page);
    const crash = page.waitForEvent('crash');
    // The call into the dead page never returns.
    void devtools.send('Page.crash').catch(() => undefined);
    await crash;
    await page.close();

    const reopened = await openConversation(a, ben);
    const offer = reopened.getByRole('region', { name: 'Unsent recording' });
    await expect(offer.getByText('You have an unsent recording')).toBeVisible();
    await offer.getByRole('button', { name: 'Listen' }).click();
    await offer.getByRole('button', { name: 'Play Unsent recording' }).click();
    await expect.poll(() => currentTimeOf(reopened, 'audio')).toBeGreaterThan(0.2);
    await offer.getByRole('button', { name: decision }).click();
    await expect(offer).toBeHidden();
    if (decision === 'Send') {
      await expect(reopened.getByRole('button', { name: 'Play Your voice message' })).toBeVisible();
      await expect(ticks(reopened, 'waiting')).toHaveCount(0);
    }
    expect(await countChunks(reopened, ann)).toBe(0);
    await reopened.close();
  }
  const [message, ...others] = await messagesWith(b, ann);
  expect(others).toEqual([]);
  expect(message?.attachments[0]?.durationMs).toBeGreaterThan(900);
  await Promise.all([a.close(), b.close()]);
});

/** Returns the number of recorded chunks, of one second each, that are stored on the phone. */
const countChunks = (page: Page, person: Person) =>
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

test('a recording in progress is not offered in another tab, and an unsent recording is sent once', async ({
  browser,
  server,
}) => {
  const { a, b, ann, ben } = await pair(browser, server, { workerOn: 'neither' });
  const page = await openConversation(a, ben);
  const other = await openConversation(a, ben);
  const offer = (tab: Page) => tab.getByRole('region', { name: 'Unsent recording' });
  await startVoice(page);
  await expect.poll(() => countChunks(other, ann)).toBeGreaterThan(1);
  await expect(offer(other)).toHaveCount(0);
  await other.reload();
  await sendMessage(other, 'I am telling you');
  await expect(ticks(other, 'waiting')).toHaveCount(0);
  await expect(offer(other), 'it is still being recorded').toHaveCount(0);
  await voicePanel(page).getByRole('button', { name: 'Close, and keep what was recorded' }).click();
  await expect(offer(page)).toBeVisible();
  await other.reload();
  // Both tabs at once, with two clicks each.
  const send = (tab: Page) => offer(tab).getByRole('button', { name: 'Send' });
  await expect(send(other)).toBeVisible();
  await Promise.all(
    [page, other].map((tab) =>
      send(tab).evaluate((button: HTMLElement) => {
        button.click();
        button.click();
      }),
    ),
  );
  for (const tab of [page, other]) {
    await expect(offer(tab)).toHaveCount(0);
    await expect(tab.getByRole('button', { name: 'Play Your voice message' })).toHaveCount(1);
    await expect(ticks(tab, 'waiting')).toHaveCount(0);
  }
  expect(await messagesWith(b, ann)).toHaveLength(2);
  await Promise.all([a.close(), b.close()]);
});

test('a message with a file that is not a picture is rejected with the reason, and can be discarded', async ({
  browser,
  server,
}) => {
  const { a, b, ann, ben } = await pair(browser, server, { workerOn: 'neither' });
  const page = await openConversation(a, ben);
  const buffer = Buffer.from('These are words and no picture at all.'.repeat(20));
  await choosePictures(page, [{ name: 'words.heic', mimeType: 'image/heic', buffer }] as never);
  await sendPictures(page);
  await expect(ticks(page, 'failed')).toHaveCount(1);
  await expect(page.getByText(/^Not sent\. \S/)).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(ticks(page, 'failed')).toHaveCount(0);
  expect(await messagesWith(b, ann)).toEqual([]);
  await Promise.all([a.close(), b.close()]);
});

test('an upload that the server has deleted starts again', async ({ browser, ownServer }) => {
  const proxy = await FaultyProxy.start(ownServer);
  const { a, b, ann, ben } = await pair(browser, ownServer, { addressA: proxy.url, workerOn: 'neither' });
  const page = await openConversation(a, ben);
  let createCount = 0;
  let cuts = 0;
  proxy.onResponse = async ({ method, url }) => {
    if (method === 'POST' && url === '/api/uploads') createCount += 1;
    // Two cuts, because the browser itself repeats a cut request once.
    if (method !== 'PATCH' || cuts === 2) return 'deliver';
    cuts += 1;
    if (cuts === 2) await ownServer.query('DELETE FROM uploads');
    return 'cut';
  };
  await choosePictures(page, portraitFile);
  await sendPictures(page);
  await expect(ticks(page, 'waiting')).toHaveCount(0);
  expect(createCount).toBe(2);
  expect((await messagesWith(b, ann))[0]?.attachments).toHaveLength(1);
  await Promise.all([a.close(), b.close()]);
  await proxy.close();
});

test('a voice message that was played can be played again offline', async ({ browser, ownServer }) => {
  const { a, b, ann, ben } = await pair(browser, ownServer, { workerOn: 'b' });
  const pageA = await openConversation(a, ben);
  let pageB = await openConversation(b, ann);
  await waitForServiceWorker(pageB);
  await sendVoice(pageA);
  await pageB.getByRole('button', { name: 'Play Ann’s voice message' }).click();
  const storedFiles = () =>
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
  await expect.poll(storedFiles).toBe(1);
  await ownServer.stop();
  await pageB.close();
  pageB = await b.newPage();
  await pageB.goto(`/messages/${ann.id}`);
  await pageB.getByRole('button', { name: 'Play Ann’s voice message' }).click();
  await expect.poll(() => currentTimeOf(pageB, 'audio')).toBeGreaterThan(0.2);
  await Promise.all([a.close(), b.close()]);
});
