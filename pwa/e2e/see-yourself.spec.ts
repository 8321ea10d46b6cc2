import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { join, match } from './support/phones.ts';
import { expect, test } from './support/test.ts';

test('a member sees the own profile as a match and as a blocked member, who get the same', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Mirror');
  const ben = await join(phoneB, server, 'Ben Mirror');
  await match(phoneA, ann, phoneB, ben);
  await server.query('UPDATE users SET paused_at = now() WHERE id = $1', [ann.id]);
  const words = 'I am Ann Mirror and I like slow mornings.';
  const page = await phoneA.newPage();
  const other = await phoneB.newPage();
  const shoot = async (name: string) => {
    await expectAccessibleInEveryTheme(page, name);
    if (process.env.SHOTS)
      await page.screenshot({ path: `${process.env.SHOTS}/see-yourself-${name}.png`, fullPage: true });
  };

  await page.goto(`/profile/${ann.id}`);
  const views = page.getByRole('navigation', { name: 'See yourself as' });
  await expect(views.getByRole('link', { name: 'A stranger' })).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('region', { name: 'How strangers see you' })).toContainText('It is hidden now');

  await views.getByRole('link', { name: 'A match' }).click();
  await expect(page.getByRole('region', { name: 'How matches see you' })).toBeVisible();
  await expect(page.getByText(words)).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Like|Pass|Super Like|Options)/ })).toHaveCount(0);
  await shoot('match');
  await other.goto(`/profile/${ann.id}`);
  await expect(other.getByText(words), 'the match reads it during the pause').toBeVisible();

  await views.getByRole('link', { name: 'Someone blocked' }).click();
  await expect(page.getByRole('region', { name: 'What a blocked member sees' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'This profile is not here' })).toBeVisible();
  await expect(page.getByText(words)).toHaveCount(0);
  await shoot('blocked');
  const block = await phoneA.request.post('/api/blocks', { data: { userId: ben.id } });
  expect(block.status()).toBeLessThan(300);
  await other.reload();
  await expect(other.getByRole('heading', { name: 'This profile is not here' })).toBeVisible();
  await expect(other.getByText(words)).toHaveCount(0);
});
