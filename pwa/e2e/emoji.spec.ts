import type { Page } from '@playwright/test';
import { join, match, newPhone, openConversation, sendMessage } from './support/phones.ts';
import { expect, test } from './support/test.ts';
import { messageOf, openMenu } from './support/thread.ts';

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search emoji' });
const emojiNamed = (page: Page, name: string) => page.getByRole('gridcell', { name, exact: true });

async function openPicker(page: Page, message: string): Promise<void> {
  await openMenu(page, message);
  await page.getByRole('button', { name: 'React with another emoji' }).click();
}

test('a member finds an emoji by its name on a phone, and sees it among the recent ones after a reload', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Emoji');
  const ben = await join(phoneB, server, 'Ben Emoji');
  await match(phoneA, ann, phoneB, ben);
  const pageA = await openConversation(phoneA, ben);
  const pageB = await openConversation(phoneB, ann);
  await sendMessage(pageB, 'I baked a cake');
  await openPicker(pageA, 'I baked a cake');
  await expect(pageA.getByRole('grid', { name: 'Emoji' })).toBeVisible();
  await expect(pageA.getByRole('group', { name: 'Recent' })).toHaveCount(0);

  await test.step('the picker fits a narrow phone', async () => {
    await pageA.setViewportSize({ width: 320, height: 640 });
    const sheet = pageA.getByRole('dialog', { name: 'React with an emoji' });
    expect(
      await sheet.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
        scrollWidth - clientWidth,
        scrollHeight - clientHeight,
      ]),
    ).toEqual([0, 0]);
    await pageA.setViewportSize({ width: 390, height: 844 });
  });

  await search(pageA).fill('no such thing');
  await expect(pageA.getByText('No emoji has this name.')).toBeVisible();
  await search(pageA).fill('shortcake');
  await emojiNamed(pageA, 'shortcake').click();
  await expect(messageOf(pageB, 'I baked a cake').getByRole('button', { name: /^🍰/ })).toBeVisible();

  await sendMessage(pageB, 'And a pie');
  await pageA.reload();
  await openPicker(pageA, 'And a pie');
  await pageA.getByRole('group', { name: 'Recent' }).getByRole('button', { name: 'shortcake' }).click();
  await expect(messageOf(pageB, 'And a pie').getByRole('button', { name: /^🍰/ })).toBeVisible();
});

test('at a desk an emoji is put where the caret is, by keyboard alone', async ({
  browser,
  phoneB,
  server,
}) => {
  const desk = await newPhone(browser, server.url, {
    viewport: { width: 1024, height: 768 },
    hasTouch: false,
    isMobile: false,
  });
  const ann = await join(desk, server, 'Ann Desk');
  const ben = await join(phoneB, server, 'Ben Desk');
  await match(desk, ann, phoneB, ben);
  const page = await openConversation(desk, ben);
  const field = page.getByRole('textbox', { name: /^Message / });
  await field.fill('Cake?');
  await field.press('ArrowLeft');
  await page.getByRole('button', { name: 'Add an emoji' }).focus();
  await page.keyboard.press('Enter');
  await expect(emojiNamed(page, 'grinning face')).toBeVisible();
  await expect(search(page)).toBeFocused();
  await page.keyboard.type('shortcake');
  await expect(emojiNamed(page, 'shortcake')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(emojiNamed(page, 'shortcake')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('Cake🍰?');
  await expect(field).toBeFocused();
  await page.keyboard.type('!');
  await expect(field, 'the caret is after the emoji').toHaveValue('Cake🍰!?');

  await page.getByRole('button', { name: 'Add an emoji' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(field, 'Escape changes nothing').toHaveValue('Cake🍰!?');
  await desk.close();
});

test('a picker that cannot load leaves a field for any emoji', async ({ phoneA, phoneB, server }) => {
  const ann = await join(phoneA, server, 'Ann Typed');
  const ben = await join(phoneB, server, 'Ben Typed');
  await match(phoneA, ann, phoneB, ben);
  const pageA = await openConversation(phoneA, ben);
  const pageB = await openConversation(phoneB, ann);
  await sendMessage(pageB, 'I baked a cake');
  await pageA.route('**/assets/EmojiPicker-*.js', (route) => route.abort());
  await openPicker(pageA, 'I baked a cake');
  await expect(pageA.getByText('The list of emoji could not be loaded. You can type one.')).toBeVisible();
  await pageA.getByRole('textbox', { name: 'Any emoji' }).fill('🍰');
  await expect(messageOf(pageB, 'I baked a cake').getByRole('button', { name: /^🍰/ })).toBeVisible();
});
