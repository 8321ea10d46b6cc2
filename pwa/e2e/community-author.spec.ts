/** Stories after they were sent: what their author changes, and what a reader has without the server. */
import type { Page } from '@playwright/test';
import { afterRestart, join, newPhone, waitForServiceWorker, withWorker } from './support/phones.ts';
import { publish } from './support/stories.ts';
import { expect, test } from './support/test.ts';

test('a member reads a story and its comments after a restart of the app without the server', async ({
  browser,
  ownServer: server,
}) => {
  const [a, b] = [await newPhone(browser, server.url), await newPhone(browser, server.url, withWorker)];
  const story = await publish(server, await join(a, server, 'Ann Harper'));
  await join(b, server, 'Ben Lowe');
  const comment = { clientId: crypto.randomUUID(), content: 'I was out in it too.' };
  const response = await a.request.post(`/api/community/posts/${story}/comments`, { data: comment });
  expect(response.status(), await response.text()).toBe(201);

  let page = await b.newPage();
  await page.goto('/community');
  // The document has the posts too; the app, which stores them, has taken over when it offers to write.
  await expect(page.getByRole('button', { name: 'Share Your Story' }).first()).toBeVisible();
  await page.getByRole('link', { name: 'Morning light', exact: true }).click();
  await expect(page.getByText('I was out in it too.')).toBeVisible();
  await waitForServiceWorker(page);
  await page.close();
  await server.stop();

  page = await b.newPage();
  await page.goto('/community');
  await page.getByRole('link', { name: 'Morning light', exact: true }).click();
  await expect(page.getByText('It was raining.')).toBeVisible();
  await expect(page.getByText('I was out in it too.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('It was raining.')).toBeVisible();
  await expect(page.getByRole('article', { name: 'Comment by Ann Harper' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Write a comment' }).fill('So was I.');
  await page.getByRole('textbox', { name: 'Write a comment' }).press('Control+Enter');
  await expect(page.getByText('Waiting to be sent')).toBeVisible();

  await server.start();
  await expect(page.getByText('Waiting to be sent')).toBeHidden(afterRestart);
  expect(await server.query(`SELECT content FROM post_comments ORDER BY created_at`)).toEqual([
    { content: 'I was out in it too.' },
    { content: 'So was I.' },
  ]);
  await Promise.all([a.close(), b.close()]);
});

/** Changes the summary in the dialog of a story, and sends it. */
async function changeSummary(page: Page, title: string, summary: string): Promise<void> {
  await page.getByRole('button', { name: `Edit “${title}”` }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Your Story' });
  await expect(dialog.getByRole('textbox', { name: 'Title' })).toHaveValue(title);
  await dialog.getByRole('textbox', { name: 'Brief Summary' }).fill(summary);
  await dialog.getByRole('button', { name: 'Submit Story' }).click();
  await expect(dialog).toBeHidden();
}

test('an author reads why a story was rejected and sends it again, and changes a published one', async ({
  browser,
  ownServer: server,
}) => {
  const [phone, other] = [await newPhone(browser, server.url), await newPhone(browser, server.url)];
  await join(phone, server, 'Ann Harper');
  const data = {
    title: 'The bench',
    excerpt: 'At 5 Elm Street.',
    content: 'We sat.',
    category: 'advice',
    tags: [],
  };
  const created = await phone.request.post('/api/community/posts', { data });
  expect(created.status(), await created.text()).toBe(201);
  const { id } = (await created.json()) as { id: string };
  const decide = (change: string) =>
    server.query(`UPDATE community_posts SET decided_at = now(), ${change} WHERE id = $1`, [id]);
  const storedPost = () => server.query('SELECT status, excerpt, version FROM community_posts');

  await decide(`status = 'rejected', rejection_reason = 'Please leave out the street.'`);
  const page = await phone.newPage();
  await page.goto('/community/mine');
  await expect(page.getByText('Not published')).toBeVisible();
  await expect(page.getByText('Please leave out the street.')).toBeVisible();
  await changeSummary(page, 'The bench', 'Below an elm.');
  await expect(page.getByText('In review')).toBeVisible();
  await expect(page.getByText('Please leave out the street.')).toBeHidden();
  expect(await storedPost()).toEqual([{ status: 'pending', excerpt: 'Below an elm.', version: 2 }]);

  await decide(`status = 'published', published_at = now()`);
  const visitor = await other.newPage();
  await visitor.goto(`/community/${id}`);
  await expect(visitor.getByText('Below an elm.')).toBeVisible();
  await page.goto(`/community/${id}`);
  await changeSummary(page, 'The bench', 'Below an old elm.');
  await expect(page.getByText('Below an old elm.')).toBeVisible();
  await expect(page.getByText('In review')).toBeVisible();
  expect(await storedPost()).toEqual([{ status: 'pending', excerpt: 'Below an old elm.', version: 3 }]);
  await visitor.reload();
  await expect(visitor.getByRole('heading', { name: 'This story is not here' })).toBeVisible();
  await Promise.all([phone.close(), other.close()]);
});
