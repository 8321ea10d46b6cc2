import { readFileSync } from 'node:fs';
import path from 'node:path';
import { waitForCandidates } from './support/deck.ts';
import { centreOf, Finger } from './support/finger.ts';
import { hideAllMembers } from './support/people.ts';
import { join } from './support/phones.ts';
import { addPhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';

const portrait = readFileSync(path.join(import.meta.dirname, 'support/portrait.jpg'));

test('taps on a card change its photo, bars show which, and More About shows the rest of the profile', async ({
  phoneA,
  phoneB,
  server,
}) => {
  await hideAllMembers(server);
  await join(phoneA, server, 'Dora Deck');
  await join(phoneB, server, 'Pia Photo', {
    intentionTags: ['Healing', 'Friendship', 'Long-term', 'Spiritual Connection'],
    loveReflection: 'Patience.',
  });
  for (let count = 0; count < 3; count += 1) {
    await addPhoto(phoneB, portrait);
  }
  await waitForCandidates(phoneA, 1);
  const page = await phoneA.newPage();
  await page.goto('/');
  const card = page.getByTestId('top-card');
  const photo = (number: number) => card.getByRole('img', { name: `Pia, photo ${number} of 2` });
  await expect(photo(1)).toBeVisible();
  const { photoHeight, footHeight } = await card.evaluate((element) => ({
    photoHeight: element.clientHeight,
    footHeight: element.querySelector('.photo-fade')?.clientHeight ?? Number.NaN,
  }));
  expect(footHeight, 'text covers at most a quarter of the photo').toBeLessThanOrEqual(photoHeight / 4);
  await expect(card).toContainText('I am Pia Photo and I like slow mornings.');

  await test.step('a tap on the left third shows the previous photo, a tap elsewhere the next', async () => {
    const box = await card.boundingBox();
    if (!box) throw new Error('no card');
    const tap = (share: number) => page.touchscreen.tap(box.x + box.width * share, box.y + box.height * 0.4);
    await tap(0.8);
    await expect(photo(2)).toBeVisible();
    await tap(0.5);
    await expect(photo(2), 'after the last photo a tap changes nothing').toBeVisible();
    const bars = card.locator('[aria-hidden="true"] > span.h-1');
    await expect(bars, 'the card has the first two of three photos').toHaveCount(2);
    await expect(bars.nth(1)).toHaveCSS('opacity', '1');
    await expect(bars.nth(0)).toHaveCSS('opacity', '0.45');
    await tap(0.1);
    await expect(photo(1)).toBeVisible();
    await tap(0.8);
    await expect(photo(2)).toBeVisible();
  });

  await test.step('a drag that ends on a photo does not change it', async () => {
    const finger = await Finger.on(page);
    await finger.down(await centreOf(card));
    await finger.move({ x: 50, y: 0 }, 1500);
    await finger.up();
    await expect(photo(2)).toBeVisible();
  });

  await test.step('the panel opens, ignores arrow keys and closes with Escape', async () => {
    await page.getByRole('button', { name: 'More about Pia' }).click();
    const panel = page.getByRole('dialog', { name: 'More About Pia' });
    await expect(panel).toContainText('I am Pia Photo and I like slow mornings.');
    await expect(panel).toContainText('“Patience.”');
    await panel.getByRole('button', { name: 'Photos' }).click();
    await expect(panel.getByRole('img', { name: /photo 3 of 3/ })).toBeVisible();
    await expect(panel).toContainText('Spiritual Connection');
    await expect(panel.getByRole('heading', { name: 'Compatibility' })).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await expect(photo(2), 'an arrow key in the panel is no decision').toBeVisible();
    await expect(page.getByRole('button', { name: 'More about Pia' })).toBeFocused();
  });
});

test('on a narrow card a fact that does not fit is left out whole', async ({ phoneA, phoneB, server }) => {
  await hideAllMembers(server);
  await join(phoneA, server, 'Dora Narrow');
  await join(phoneB, server, 'Pia Narrow');
  await phoneB.request.patch('/api/users/me', { data: { pronouns: ['They/them'] } });
  await waitForCandidates(phoneA, 1);
  const page = await phoneA.newPage();
  await page.goto('/');
  const facts = page.getByTestId('top-card').getByRole('listitem');
  await expect(facts.filter({ hasText: 'They/them' })).toBeAttached();
  for (const width of [320, 340, 360, 390]) {
    await page.setViewportSize({ width, height: 640 });
    const cut = await facts.evaluateAll(
      (items) =>
        items.filter((item) => {
          const box = item.closest('ul')?.getBoundingClientRect();
          const { bottom, right } = item.getBoundingClientRect();
          return box && bottom > box.top + 1 && right > box.right + 1;
        }).length,
    );
    expect(cut, `at ${width}`).toBe(0);
  }
});

test('the like of a photo can be cancelled, and an answer is liked with a comment', async ({
  phoneA,
  phoneB,
  server,
}) => {
  await hideAllMembers(server);
  const me = await join(phoneA, server, 'Dora Deck');
  await join(phoneB, server, 'Pia Photo');
  await addPhoto(phoneB, portrait);
  const prompts = [{ question: 'Together we could', answer: 'Learn to bake bread.' }];
  await phoneB.request.patch('/api/users/me', { data: { prompts } });
  await waitForCandidates(phoneA, 1);
  const page = await phoneA.newPage();
  await page.goto('/');
  const sheet = page.getByRole('dialog', { name: "Like Pia's photo" });

  await test.step('a photo on the card', async () => {
    await page.getByRole('button', { name: 'Like this photo of Pia' }).click();
    await expect(sheet.getByRole('img')).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Escape');
    await expect(sheet, 'closing the sheet sends no like').toBeHidden();
  });

  await test.step('a photo in More About', async () => {
    await page.getByRole('button', { name: 'More about Pia' }).click();
    const panel = page.getByRole('dialog', { name: 'More About Pia' });
    await panel.getByRole('button', { name: 'Voice' }).click();
    await expect(panel).toContainText('Pia has not recorded a voice greeting yet.');
    await panel.getByRole('button', { name: 'Video' }).click();
    await expect(panel).toContainText('Pia has not recorded a video yet.');
    await panel.getByRole('button', { name: 'Photos' }).click();
    await panel.getByRole('button', { name: 'Like photo 1' }).click();
    await expect(sheet).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(panel, 'Escape closes one at a time').toBeVisible();
  });

  await test.step('an answer, with a comment', async () => {
    await page.getByRole('button', { name: 'Like the answer to “Together we could”' }).click();
    const answer = page.getByRole('dialog', { name: "Like Pia's answer" });
    await expect(answer).toContainText('Learn to bake bread.');
    const comment = answer.getByRole('textbox', { name: 'Add a comment (optional)' });
    await comment.fill('x'.repeat(310));
    await expect(page.getByText('10 characters do not fit into this field.')).toBeVisible();
    await expect(comment, 'not longer than 300, and not cut').toHaveValue('');
    await comment.fill('  Sourdough? ');
    await answer.getByRole('button', { name: 'Like', exact: true }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'No More Matches' })).toBeVisible();
  });

  await expect
    .poll(() =>
      server.query('SELECT like_type, comment, prompt FROM user_likes WHERE from_user_id = $1', [me.id]),
    )
    .toEqual([{ like_type: 'like', comment: 'Sourdough?', prompt: 'Together we could' }]);
});
