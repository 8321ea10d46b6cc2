import type { Page } from '@playwright/test';
import { FaultyWay } from './support/faulty-way.ts';
import {
  beginVoice,
  choosePictures,
  portrait,
  sendPictures,
  sendVoice,
  sentTo,
  timeOf,
  voicePanel,
} from './support/media.ts';
import { installed, openConversation, type Person, pair, ticks, write } from './support/phones.ts';
import { expect, test } from './support/test.ts';
import { openMenu } from './support/thread.ts';

test('what is recorded without a network is there to be heard, and goes when the network is back', async ({
  browser,
  ownServer,
}) => {
  const { a, b, ann, ben } = await pair(browser, ownServer);
  let pageA = await openConversation(a, ben);
  await installed(pageA);
  await write(pageA, 'Guess where I am');
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
  await expect.poll(() => timeOf(pageA, 'audio')).toBeGreaterThan(0.2);
  await ownServer.start();
  await expect(ticks(pageA, 'waiting')).toHaveCount(0);
  const sent = await sentTo(b, ann);
  expect(sent.map(({ messageType, replyTo }) => [messageType, replyTo])).toContainEqual(['audio', 1]);
  expect(sent).toHaveLength(2);
  await Promise.all([a.close(), b.close()]);
});

test('an upload that is cut goes on where it was', async ({ browser, ownServer }) => {
  const proxy = await FaultyWay.before(ownServer);
  const { a, b, ann, ben } = await pair(browser, ownServer, { addressA: proxy.url });
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
  const { a, b, ann, ben } = await pair(browser, server, { installedOn: 'neither' });
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

test('what one tab records is neither offered nor sent by another, and what was left goes once', async ({
  browser,
  server,
}) => {
  const { a, b, ann, ben } = await pair(browser, server);
  const page = await openConversation(a, ben);
  const other = await openConversation(a, ben);
  const offer = (tab: Page) => tab.getByRole('region', { name: 'Unsent recording' });
  await beginVoice(page);
  await expect.poll(() => chunksOn(other, ann)).toBeGreaterThan(1);
  await expect(offer(other)).toHaveCount(0);
  await other.reload();
  await write(other, 'I am telling you');
  await expect(ticks(other, 'waiting')).toHaveCount(0);
  await expect(offer(other), 'it is still being made').toHaveCount(0);
  await voicePanel(page).getByRole('button', { name: 'Close, and keep what was recorded' }).click();
  await expect(offer(page)).toBeVisible();
  await other.reload();
  // Both at once, and twice.
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
  expect(await sentTo(b, ann)).toHaveLength(2);
  await Promise.all([a.close(), b.close()]);
});

test('what is no picture is refused with the reason, kept, and can be discarded', async ({
  browser,
  server,
}) => {
  const { a, b, ann, ben } = await pair(browser, server, { installedOn: 'neither' });
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
  const { a, b, ann, ben } = await pair(browser, ownServer, { addressA: proxy.url });
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
  const { a, b, ann, ben } = await pair(browser, ownServer, { installedOn: 'b' });
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
