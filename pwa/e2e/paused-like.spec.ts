import { focusDeck, openDeck, top } from './support/deck.ts';
import { expect, test } from './support/test.ts';

test('a paused member who likes reads it at once, resumes in place, and nothing was sent', async ({
  phoneA,
  server,
}) => {
  const { page, me } = await openDeck(phoneA, server, 'Lea Paused');
  await server.query('UPDATE users SET paused_at = now() WHERE id = $1', [me.id]);
  await page.reload();
  await expect(top(page).getByRole('heading')).toContainText('Lea,');
  await focusDeck(page);
  await page.keyboard.press('ArrowRight');
  const notice = page.getByText('Resume it to like others.');
  await expect(notice).toBeVisible();
  await expect(top(page).getByRole('heading'), 'the card stays').toContainText('Lea,');

  await page.getByRole('link', { name: 'Discover' }).click();
  const likeLea = page.getByRole('button', { name: 'Like Lea Paused', exact: true });
  await likeLea.click();
  await expect(notice).toBeVisible();
  await expect(likeLea, 'the button does not claim a like').toBeEnabled();
  expect(await server.query('SELECT 1 FROM user_likes WHERE from_user_id = $1', [me.id])).toEqual([]);

  await page.locator('.hw-toast').getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('Your profile is no longer paused')).toBeVisible();
  await likeLea.click();
  await expect
    .poll(() => server.query('SELECT like_type FROM user_likes WHERE from_user_id = $1', [me.id]))
    .toEqual([{ like_type: 'like' }]);
});
