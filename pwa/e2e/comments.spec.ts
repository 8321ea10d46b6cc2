/** Comments of the board: changed by their author, and held back when the message filter notices them. */
import { joinAsAdmin } from './support/admin.ts';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { join, newPhone } from './support/phones.ts';
import { expect, test } from './support/test.ts';

const INSULT = 'You are a worthless idiot and everybody hates you.';

test('a member changes a comment, and one that the filter notices waits for a moderator', async ({
  browser,
  ownServer: server,
}) => {
  const [a, b] = [await newPhone(browser, server.url), await newPhone(browser, server.url)];
  await join(a, server, 'Ann Harper');
  await join(b, server, 'Ben Lowe');
  await server.query(`INSERT INTO community_posts
    (author_id, client_id, title, excerpt, content, category, tags, status, published_at, decided_at)
    SELECT id, gen_random_uuid(), 'The bench', 'Where we met', 'Where we met, by the river.', 'advice', '{advice}',
      'published', now(), now()
    FROM users WHERE full_name = 'Ann Harper'`);
  const page = await b.newPage();
  await page.goto('/community');
  await page.getByRole('link', { name: 'The bench', exact: true }).click();

  const field = page.getByRole('textbox', { name: 'Write a comment' });
  await field.fill('Lovly');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  const comment = page.getByRole('article', { name: 'Comment by Ben Lowe' });
  await comment.getByRole('button', { name: 'Edit your comment' }).click();
  const edit = comment.getByRole('textbox', { name: 'Change your comment' });
  await expect(edit).toBeFocused();
  await expect(edit).toHaveValue('Lovly');
  await expectAccessibleInEveryTheme(page, 'comment being changed');
  await edit.fill('Lovely');
  await comment.getByRole('button', { name: 'Save' }).click();
  await expect(comment).toContainText('edited');
  await expect(comment).toContainText('Lovely');

  await field.fill(INSULT);
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  const waiting = page.getByRole('article', { name: 'Comment by Ben Lowe' }).filter({ hasText: INSULT });
  await expect(waiting).toContainText('Waits for a moderator. Only you can see it.');
  await expect(waiting.getByRole('button', { name: /^Reply/ })).toBeHidden();
  await expectAccessibleInEveryTheme(page, 'comment that waits');

  const reader = await a.newPage();
  await reader.goto('/community');
  await reader.getByRole('link', { name: /^1 comment on/ }).click();
  await expect(reader.getByText('Lovely')).toBeVisible();
  await expect(reader.getByText(INSULT)).toBeHidden();

  const { computer } = await joinAsAdmin(browser, server, 'Mo Approver');
  const admin = await computer.newPage();
  await admin.goto('/admin/dashboard/community');
  await admin.getByRole('combobox', { name: 'Show' }).selectOption('Comments that wait');
  await admin.getByRole('link', { name: /Ben Lowe/ }).click();
  await admin.getByRole('textbox', { name: 'Why do you open it?' }).fill('To decide');
  await admin.keyboard.press('Enter');
  await admin.getByRole('radio', { name: /^Hide/ }).check();
  await admin.getByRole('textbox', { name: 'Reason' }).fill('An insult');
  await admin.keyboard.press('Control+Enter');
  await expect(admin.getByRole('region', { name: 'Outcome' })).toContainText('Hidden');
  // A link leads to a story that is not in the list of those that wait.
  const [post] = await server.query<{ id: string }>('SELECT id FROM community_posts');
  await admin.goto(`/admin/dashboard/community/${post?.id}`);
  await admin.getByRole('textbox', { name: 'Why do you open it?' }).fill('To decide');
  await admin.keyboard.press('Enter');
  await expect(admin.getByRole('article', { name: 'Story' })).toContainText('Where we met, by the river.');
  await page.reload();
  await expect(page.getByText('Lovely')).toBeVisible();
  await expect(page.getByText(INSULT)).toBeHidden();
});
