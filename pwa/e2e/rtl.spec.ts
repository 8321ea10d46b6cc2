/** In a language from right to left the app is the mirror of what it is in English: nothing stands on the wrong side. */
import type { Page } from '@playwright/test';
import { waitForCandidates } from './support/deck.ts';
import { portraitFile } from './support/editor.ts';
import { Finger } from './support/finger.ts';
import { findLayoutFaultsNow } from './support/layout.ts';
import { choosePictures, sendPictures } from './support/media.ts';
import { hideAllMembers } from './support/people.ts';
import { join, match, newPhone, openConversation, sendMessage } from './support/phones.ts';
import { expect, test } from './support/test.ts';
import { bubble } from './support/thread.ts';

/** Returns the controls and pictures whose box, from right to left, is not the mirror of the box from left to right. */
function findUnmirrored(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    const elements = [...document.querySelectorAll('a, button, input, select, textarea, img, h1')].filter(
      (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
    );
    const boxes = () => elements.map((element) => element.getBoundingClientRect());
    const before = boxes();
    root.dir = 'rtl';
    const after = boxes();
    return elements.flatMap((element, index) => {
      const [ltr, rtl] = [before[index], after[index]];
      if (!ltr || !rtl || ltr.width <= 1) return [];
      const mirrored = root.clientWidth - rtl.right;
      if (Math.abs(mirrored - ltr.left) <= 1.5) return [];
      const name = element.getAttribute('aria-label') ?? element.getAttribute('title') ?? element.textContent;
      return [
        `${element.tagName} ${name?.slice(0, 40)}: ${Math.round(ltr.left)}, not ${Math.round(mirrored)}`,
      ];
    });
  });
}

test('the app is mirrored in a language from right to left', async ({ browser, phoneA, phoneB, server }) => {
  await hideAllMembers(server);
  const own = await join(phoneA, server, 'Rina Right');
  const other = await join(phoneB, server, 'Lea Left');
  await match(phoneA, own, phoneB, other);
  const phoneC = await newPhone(browser, server.url);
  await join(phoneC, server, 'Sam Stranger');
  await waitForCandidates(phoneA, 1);
  const page = await phoneA.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const screens = {
    '/': 'Sam',
    '/discover': /Found \d+ compatible/,
    '/matches': 'Lea',
    '/messages': 'Lea',
    [`/messages/${other.id}`]: 'Say hello',
    [`/profile/${other.id}`]: 'Compatibility',
    '/profile': 'About Me',
    '/settings': 'Quiet hours',
    '/community': 'No stories yet',
  };
  for (const [path, shown] of Object.entries(screens)) {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(path);
      // The server's text of a public page stays as it was sent.
      await expect(page.locator('[data-served]')).toHaveCount(0);
      await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible();
      await expect(page.getByText('Connecting...')).toHaveCount(0);
      expect.soft(await findUnmirrored(page), `${path} at ${width} px`).toEqual([]);
      expect.soft(await findLayoutFaultsNow(page), `${path} at ${width} px`).toEqual([]);
    }
  }
  await phoneC.close();
});

/** Loads the page's later documents in a language from right to left. */
const readFromTheRight = (page: Page) =>
  page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.documentElement) return;
      document.documentElement.dir = 'rtl';
      observer.disconnect();
    }).observe(document, { childList: true });
    if (document.documentElement) document.documentElement.dir = 'rtl';
  });

test('arrow keys, swipes and arrows point along the line in a language from right to left', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const own = await join(phoneA, server, 'Rina Right');
  const other = await join(phoneB, server, 'Lea Left');
  await match(phoneA, own, phoneB, other);
  const otherPage = await openConversation(phoneB, own);
  await sendMessage(otherPage, 'pull me');
  await choosePictures(otherPage, [portraitFile, portraitFile]);
  await sendPictures(otherPage);

  const page = await phoneA.newPage();
  await readFromTheRight(page);
  await page.goto('/profile');
  await page.getByRole('tab', { name: 'Overview' }).press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'Activity' })).toHaveAttribute('aria-selected', 'true');

  await page.goto(`/messages/${other.id}`);
  await expect(page.getByRole('link', { name: 'Back to messages' }).locator('svg')).toHaveCSS(
    'scale',
    '-1 1',
  );
  const finger = await Finger.on(page);
  const reply = page.getByRole('button', { name: 'Do not reply to this message' });
  const pictures = page.getByRole('button', { name: 'Tap to show Lea’s 2 pictures' });
  // The pictures come after the text, and move it up.
  await expect(pictures).toBeVisible();
  await finger.swipe(bubble(page, 'pull me'), { x: -90, y: 4 });
  await expect(reply, 'a swipe to the left, where the line ends').toBeVisible();
  await reply.click();
  await expect(reply).toBeHidden();

  await pictures.click();
  await page.getByRole('button', { name: 'Look at Lea’s picture 2 of 2' }).click();
  const viewer = page.getByRole('dialog', { name: 'Lea’s pictures' });
  await expect(viewer.getByText('2 of 2')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(viewer.getByText('1 of 2')).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(viewer.getByText('2 of 2')).toBeVisible();
});
