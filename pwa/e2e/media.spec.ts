import type { Page } from '@playwright/test';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { portraitFile } from './support/editor.ts';
import { Finger } from './support/finger.ts';
import {
  choosePictures,
  currentTimeOf,
  messagesWith,
  recordVoice,
  sendPictures,
  sendVoice,
  startVoice,
  voicePanel,
} from './support/media.ts';
import { join, openConversation, pair, ticks } from './support/phones.ts';
import { expect, test } from './support/test.ts';
import { insertMessages, markAllRead, thread } from './support/thread.ts';

test('a voice message is recorded, previewed, sent, and played on the other phone', async ({
  browser,
  server,
}) => {
  const { a, b, ann, ben } = await pair(browser, server, { workerOn: 'neither' });
  const pageA = await openConversation(a, ben);
  const pageB = await openConversation(b, ann);
  await recordVoice(pageA);
  await voicePanel(pageA).getByRole('button', { name: 'Play Your recording' }).click();
  await expect.poll(() => currentTimeOf(pageA, 'audio')).toBeGreaterThan(0.2);
  await voicePanel(pageA).getByRole('button', { name: 'Send' }).click();
  await expect(pageA.getByRole('button', { name: 'Play Your voice message' })).toBeVisible();
  await expect(ticks(pageA, 'waiting')).toHaveCount(0);

  await pageB.getByRole('button', { name: 'Play Ann’s voice message' }).click();
  await expect.poll(() => currentTimeOf(pageB, 'audio')).toBeGreaterThan(0.2);
  await pageB.getByRole('button', { name: 'Playback speed 1×. Change it' }).click();
  const rate = () => pageB.locator('audio').evaluate((element) => (element as HTMLAudioElement).playbackRate);
  expect(await rate()).toBe(1.25);

  const [message] = await messagesWith(b, ann);
  expect(message).toMatchObject({ messageType: 'audio', content: '' });
  const [file] = message?.attachments ?? [];
  expect(file?.durationMs).toBeGreaterThan(900);
  const part = await b.request.get(file?.url ?? '', { headers: { Range: 'bytes=0-9' } });
  expect([part.status(), (await part.body()).length]).toEqual([206, 10]);
  await Promise.all([a.close(), b.close()]);
});

/**
 * Counts how often the page sets the position of a recording. The element itself cannot be asked: a row that was
 * scrolled away has none, and one that has not loaded yet fires no `seeking`.
 */
async function countSeeks(page: Page): Promise<() => Promise<number>> {
  const counter = await page.evaluateHandle(() => {
    const seeks = { count: 0 };
    const media = HTMLMediaElement.prototype;
    const position = Object.getOwnPropertyDescriptor(media, 'currentTime') as PropertyDescriptor;
    Object.defineProperty(media, 'currentTime', {
      ...position,
      set(this: HTMLMediaElement, seconds: number) {
        seeks.count++;
        position.set?.call(this, seconds);
      },
    });
    return seeks;
  });
  return () => counter.evaluate(({ count }) => count);
}

const isOnTop = (element: Element): boolean => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
};

test('a drag on a voice message scrolls vertically and seeks horizontally', async ({ browser, server }) => {
  const { a, b, ann, ben } = await pair(browser, server, { workerOn: 'neither' });
  await insertMessages(server, ann.id, ben.id, 40);
  await markAllRead(server, ann.id);
  const page = await openConversation(a, ben);
  await sendVoice(page);
  const line = page.getByRole('slider', { name: 'Position in Your voice message' });
  // While the thread still scrolls, its rows ignore touches.
  const waitUntilOnTop = () => expect.poll(() => line.evaluate(isOnTop)).toBe(true);
  await waitUntilOnTop();
  const scrollTop = () => thread(page).evaluate(({ scrollTop }) => scrollTop);
  const before = await scrollTop();
  const seekCount = await countSeeks(page);
  const finger = await Finger.on(page);
  await finger.swipe(line, { x: 6, y: 220 });
  await expect.poll(scrollTop, 'the thread has scrolled').toBeLessThan(before - 100);
  expect(await seekCount(), 'the position is unchanged').toBe(0);

  await page.getByRole('button', { name: /jump to the newest/i }).click();
  await waitUntilOnTop();
  await finger.swipe(line, { x: 40, y: 4 });
  await expect.poll(seekCount).toBeGreaterThan(0);
  await expect.poll(() => currentTimeOf(page, 'audio')).toBeGreaterThan(0);
  await Promise.all([a.close(), b.close()]);
});

test('a recorded video is sent and played', async ({ browser, server }) => {
  const { a, b, ann, ben } = await pair(browser, server, { workerOn: 'neither' });
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
  await pageB.getByRole('button', { name: 'Tap to show Ann’s video' }).click();
  await pageB.getByRole('button', { name: 'Play Ann’s video message' }).click();
  await expect.poll(() => currentTimeOf(pageB, 'video')).toBeGreaterThan(0.2);
  await expect(pageB.locator('video')).toHaveAttribute('poster', /poster\.webp$/);
  await Promise.all([a.close(), b.close()]);
});

test('three pictures are sent at once with a caption and viewed full screen', async ({ browser, server }) => {
  const { a, b, ann, ben } = await pair(browser, server, { workerOn: 'neither' });
  const pageA = await openConversation(a, ben);
  const pageB = await openConversation(b, ann);
  await choosePictures(pageA, [portraitFile, portraitFile, portraitFile, portraitFile]);
  const tray = pageA.getByRole('region', { name: 'Pictures to send' });
  await expect(tray.getByText('4 pictures')).toBeVisible();
  await tray.getByRole('button', { name: 'Remove picture 4' }).click();
  await tray.getByRole('textbox', { name: 'Add a caption' }).fill('From the lake');
  await sendPictures(pageA);
  await expect(ticks(pageA, 'waiting')).toHaveCount(0);

  await expect(pageB.getByTestId('bubble-text')).toHaveText('From the lake');
  await pageB.getByRole('button', { name: 'Tap to show Ann’s 3 pictures' }).click();
  await pageB.getByRole('button', { name: 'Look at Ann’s picture 2 of 3' }).click();
  const viewer = pageB.getByRole('dialog', { name: 'Ann’s pictures' });
  await expect(viewer.getByText('2 of 3')).toBeVisible();
  const row = viewer.getByRole('list');
  await expect(row, 'arrow keys work at once, and a screen reader says which picture is shown').toBeFocused();
  await expect(row).toHaveAccessibleDescription('2 of 3');
  await pageB.keyboard.press('ArrowRight');
  await expect(viewer.getByText('3 of 3')).toBeVisible();
  const save = viewer.getByRole('link', { name: 'Save picture' });
  await expect(save).toHaveAttribute('href', /full\.webp$/);
  // As virtua does while the list scrolls, such as when a message arrives.
  const list = viewer.locator('xpath=ancestor::ol');
  await list.evaluate((element) => {
    element.style.pointerEvents = 'none';
  });
  await save.click({ trial: true });
  await pageB.keyboard.press('Escape');
  await expect(viewer).toBeHidden();
  expect((await messagesWith(b, ann))[0]?.attachments).toHaveLength(3);
  await Promise.all([a.close(), b.close()]);
});

test('the demo screen records, plays and lists media, and sends nothing', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Dora Demo');
  const page = await phoneA.newPage();
  const postedUrls: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') postedUrls.push(request.url());
  });
  await page.goto('/media-demo');
  const part = page.getByRole('region', { name: 'Voice message' });
  await part.getByRole('button', { name: 'Record your voice' }).click();
  await expect(part.getByText(/^0:(0[1-9]|[1-5]\d) of 1:00/)).toBeVisible();
  await part.getByRole('button', { name: 'Stop' }).click();
  await part.getByRole('button', { name: 'Send' }).click();
  const session = page.getByRole('region', { name: 'Your session' });
  await session.getByRole('button', { name: 'Play Recording 1' }).click();
  await expect.poll(() => currentTimeOf(page, 'audio')).toBeGreaterThan(0.1);
  const sample = page.getByRole('region', { name: 'All in one place' });
  await sample.getByRole('textbox', { name: 'Message to Alex' }).fill('Hello Alex');
  await sample.getByRole('button', { name: 'Send message' }).click();
  await expect(session.getByText('Hello Alex')).toBeVisible();
  await expect(part.getByRole('button', { name: 'Record your voice' })).toBeVisible();
  expect(postedUrls).toEqual([]);
});

test('pictures of a new person are blurred and not fetched until the member taps them, also offline', async ({
  browser,
  server,
}) => {
  const { a, b, ann, ben } = await pair(browser, server, { workerOn: 'neither' });
  const pageA = await openConversation(a, ben);
  const pageB = await openConversation(b, ann);
  const fetched: string[] = [];
  pageB.on('request', (request) => {
    if (/\/(full|thumb|poster)\.webp$/.test(request.url())) fetched.push(request.url());
  });
  await choosePictures(pageA, [portraitFile]);
  await sendPictures(pageA);
  await expect(ticks(pageA, 'waiting')).toHaveCount(0);
  await expect(
    pageA.getByRole('button', { name: /^Tap to show/ }),
    'own pictures are not blurred',
  ).toHaveCount(0);
  const [message] = await messagesWith(b, ann);
  const file = message?.attachments[0]?.id ?? 'no file';
  const show = pageB.getByRole('button', { name: 'Tap to show Ann’s picture' });
  await expect(show).toBeVisible();
  expect(fetched.filter((url) => url.includes(file))).toEqual([]);

  await pageB.getByRole('button', { name: 'Report' }).click();
  const report = pageB.getByRole('dialog');
  await expect(report.getByRole('heading', { name: 'Report Ann' })).toBeVisible();
  await pageB.keyboard.press('Escape');
  await expect(report).toBeHidden();

  const second = await openConversation(b, ann);
  await b.setOffline(true);
  await show.focus();
  await pageB.keyboard.press('Enter');
  await expect(pageB.getByRole('button', { name: 'Look at Ann’s picture' })).toBeFocused();
  await b.setOffline(false);
  await expect
    .poll(async () => {
      const [conversation] = await (await b.request.get(`/api/conversations?with=${ann.id}`)).json();
      return conversation.picturesShown;
    }, 'the server knows the choice')
    .toBe(true);
  // The other tab gets the choice, and fetches the picture.
  const picture = second.getByRole('button', { name: 'Look at Ann’s picture' }).locator('img');
  await expect(picture).toHaveAttribute('src', new RegExp(`${file}/thumb.webp$`));
  await expect(picture).not.toHaveJSProperty('naturalWidth', 0);
  await Promise.all([a.close(), b.close()]);
});

test('before the tap, the list, the menu and the quote of a picture name it, and fetch nothing of it', async ({
  browser,
  server,
}) => {
  const { a, b, ann, ben } = await pair(browser, server, { workerOn: 'neither' });
  const requested: string[] = [];
  b.on('request', (request) => requested.push(request.url()));
  const pageA = await openConversation(a, ben);
  const list = await b.newPage();
  await list.goto('/messages');
  await choosePictures(pageA, [portraitFile]);
  await sendPictures(pageA);
  const row = list.getByRole('link', { name: /Ann/ });
  await expect(row).toContainText('Picture');
  await expect(row.locator('img')).toHaveCount(0);
  await row.click();
  const show = list.getByRole('button', { name: 'Tap to show Ann’s picture' });
  await expect(show).toBeVisible();
  if (process.env.SHOTS) await list.screenshot({ path: `${process.env.SHOTS}/first-picture.png` });

  await list.getByRole('button', { name: 'Options for “Picture”' }).press('Enter');
  const menu = list.getByRole('dialog', { name: 'Message from Ann' });
  await expect(menu).toContainText('Picture');
  await expect(menu.locator('img, a')).toHaveCount(0);
  await menu.getByRole('button', { name: 'Reply' }).click();
  const quote = list.getByRole('button', { name: 'Do not reply to this message' }).locator('..');
  await expect(quote).toContainText('Picture');
  await expect(quote.locator('img')).toHaveCount(0);
  const [message] = await messagesWith(b, ann);
  const file = message?.attachments[0]?.id ?? 'no file';
  expect(requested.filter((url) => url.includes(file))).toEqual([]);

  await show.click();
  await expect(list.getByRole('button', { name: 'Look at Ann’s picture' }).locator('img')).toBeVisible();
  await expect.poll(() => requested.filter((url) => url.includes(`${file}/thumb.webp`)).length).toBe(1);
  await Promise.all([a.close(), b.close()]);
});

test('voice messages and pictures pass axe in every theme', async ({ browser, server }) => {
  const { a, b, ann, ben } = await pair(browser, server, { workerOn: 'neither' });
  const page = await openConversation(a, ben);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.getByRole('button', { name: 'Add a picture, a video or more' }).click();
  await expectAccessibleInEveryTheme(page, 'the menu');
  await page.keyboard.press('Escape');
  await startVoice(page);
  await expectAccessibleInEveryTheme(page, 'recording a voice message');
  await voicePanel(page).getByRole('button', { name: 'Stop' }).click();
  await expectAccessibleInEveryTheme(page, 'a voice message before sending');
  await voicePanel(page).getByRole('button', { name: 'Send' }).click();
  await choosePictures(page, [portraitFile, portraitFile]);
  await expect(page.getByText('2 pictures')).toBeVisible();
  await expectAccessibleInEveryTheme(page, 'pictures before sending');
  await sendPictures(page);
  await expect(ticks(page, 'waiting')).toHaveCount(0);
  await expectAccessibleInEveryTheme(page, 'sent media');
  const other = await openConversation(b, ann);
  await other.emulateMedia({ reducedMotion: 'reduce' });
  await expect(other.getByRole('button', { name: 'Play Ann’s voice message' })).toBeVisible();
  await expectAccessibleInEveryTheme(other, 'received media, blurred');
  await other.getByRole('button', { name: 'Tap to show Ann’s 2 pictures' }).click();
  await expectAccessibleInEveryTheme(other, 'received media');
  await other.getByRole('button', { name: 'Look at Ann’s picture 1 of 2' }).click();
  await expectAccessibleInEveryTheme(other, 'the viewer');
  await Promise.all([a.close(), b.close()]);
});
