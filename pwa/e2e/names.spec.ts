import type { Page } from '@playwright/test';
import { waitForCandidates } from './support/deck.ts';
import { hideAllMembers } from './support/people.ts';
import { join, match, sendMessage } from './support/phones.ts';
import { expect, test } from './support/test.ts';

const LONG = 'Wilhelmina Vandenbroucke-Østergård-Featherstonehaugh-Montgomery-Smythe';
const ARABIC = 'مرحبا! كيف حالك اليوم؟ 123 abc';

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Opens a screen at every width and expects no sideways scroll. */
async function expectFits(page: Page, path: string, shown: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(path);
  await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible();
  for (const width of [320, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    expect.soft(await overflow(page), `${path} at ${width}`).toBe(0);
  }
}

test('long, Arabic and emoji names and texts widen no screen and keep their direction', async ({
  phoneA,
  phoneB,
  server,
}) => {
  await hideAllMembers(server);
  const long = await join(phoneA, server, 'Wilhelmina Long', { fullName: LONG, bio: 'x'.repeat(300) });
  const arab = await join(phoneB, server, 'Nour Arab', {
    fullName: '🦊نور',
    bio: ARABIC,
  });
  await waitForCandidates(phoneA, 1);
  const page = await phoneA.newPage();
  const other = await phoneB.newPage();
  await expectFits(page, '/discover', 'نور');
  await expectFits(other, '/discover', 'Wilhelmina');
  await expectFits(other, '/', 'Wilhelmina');
  await expectFits(other, `/profile/${long.id}`, 'Wilhelmina');
  await expectFits(page, '/profile', 'Wilhelmina');

  await match(phoneA, long, phoneB, arab);
  await expectFits(other, '/matches', 'Wilhelmina');
  await expectFits(page, `/messages/${arab.id}`, '🦊');
  await page.reload();
  await sendMessage(page, ARABIC);
  const bubble = page.getByTestId('bubble-text').filter({ hasText: 'مرحبا' });
  await expect(bubble).toHaveCSS('direction', 'rtl');
  const [first, last] = await bubble.evaluate((element) => {
    const text = element.firstChild as Text;
    const boxOf = (part: string) => {
      const range = document.createRange();
      const start = text.data.indexOf(part);
      range.setStart(text, start);
      range.setEnd(text, start + part.length);
      return range.getBoundingClientRect();
    };
    return [boxOf('مرحبا').left, boxOf('abc').left];
  });
  expect(first, 'the first word is on the right').toBeGreaterThan(last ?? 0);
  await expectFits(other, '/messages', 'Wilhelmina');
});
