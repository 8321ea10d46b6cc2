/** The community board: a story from its draft to its comments, the rules with their report, and reading as a visitor. */
import type { Locator, Page } from '@playwright/test';
import { expectUsable, joinAsAdmin } from './support/admin.ts';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { portraitFile } from './support/editor.ts';
import { findLayoutFaults } from './support/layout.ts';
import { join, newPhone, type Person } from './support/phones.ts';
import type { Server } from './support/server.ts';
import { publish } from './support/stories.ts';
import { expect, test } from './support/test.ts';

/** Checks axe in every theme and the layout at every width, and takes pictures if SHOTS names a folder. */
async function check(page: Page, name: string): Promise<void> {
  await expectAccessibleInEveryTheme(page, name);
  expect.soft(await findLayoutFaults(page), name).toEqual([]);
  for (const [width, height] of [
    [1440, 900],
    [768, 1024],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    if (process.env.SHOTS) await shoot(page, `${name}-${width}`);
  }
}

async function shoot(page: Page, name: string): Promise<void> {
  for (const theme of ['dark', 'taco', 'light']) {
    await page.evaluate((value) => {
      document.documentElement.dataset.theme = value;
    }, theme);
    const path = `${process.env.SHOTS}/community-${name}-${theme}.png`;
    await page.screenshot({ animations: 'disabled', path });
  }
}

const STORY = `## The first message

It took me **three days** to write it. *Three days.*

- I wrote about the book on her third photo
- She wrote back about the dog on mine

> We both nearly did not.

<script>alert(1)</script> [Where we met](https://example.com/cafe)`;

const article = (page: Page, title: string) => page.getByRole('article', { name: title });

/** Fills in the dialog "Share Your Journey". */
async function write(dialog: Locator): Promise<void> {
  await dialog.getByRole('textbox', { name: 'Title' }).fill('A slow morning changed everything');
  await dialog
    .getByRole('textbox', { name: 'Brief Summary' })
    .fill('How two shy people wrote the first message.');
  await dialog.getByRole('combobox', { name: 'Category' }).selectOption('Community Story');
  await dialog.getByRole('textbox', { name: 'Your Story' }).fill(STORY);
  await dialog.getByRole('textbox', { name: 'Tags (optional)' }).fill('Slow  Mornings, #first messages');
}

test('a member writes a story, an admin publishes it, and another likes, comments offline, and reports it', async ({
  browser,
  ownServer: server,
}) => {
  const [a, b] = [await newPhone(browser, server.url), await newPhone(browser, server.url)];
  await join(a, server, 'Ann Harper');
  await join(b, server, 'Ben Lowe');
  const page = await a.newPage();
  const other = await b.newPage();
  for (const each of [page, other]) await each.emulateMedia({ reducedMotion: 'reduce' });

  // The empty board, from Profile.
  await page.goto('/profile');
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Open: Community' }).click();
  await expect(page.getByRole('heading', { name: 'No stories yet' })).toBeVisible();
  await check(page, 'empty');
  await expect(page.getByText('Stories are reviewed before publishing')).toBeVisible();

  // The dialog, by keys; what is missing is named.
  const button = page.getByRole('button', { name: 'Share Your Story' }).first();
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Share Your Journey' });
  await dialog.getByRole('button', { name: 'Submit Story' }).click();
  await expect(page.getByText('Missing information')).toBeVisible();
  await expect(page.getByText('Please fill in all fields before submitting.')).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await check(page, 'missing');
  await write(dialog);
  await dialog.locator('input[type=file]').setInputFiles(portraitFile);
  await expect(dialog.getByRole('img', { name: 'The picture of your story' })).toBeVisible();

  // The draft outlives the page, with its picture.
  await page.reload();
  await page.getByRole('button', { name: 'Share Your Story' }).first().click();
  await expect(dialog.getByRole('textbox', { name: 'Title' })).toHaveValue(
    'A slow morning changed everything',
  );
  await expect(dialog.getByRole('textbox', { name: 'Your Story' })).toHaveValue(STORY);
  await expect(dialog.getByRole('combobox', { name: 'Category' })).toHaveValue('community-story');
  await expect(dialog.getByRole('img', { name: 'The picture of your story' })).toBeVisible();
  await check(page, 'draft');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  const preview = dialog.getByRole('region', { name: 'Preview of your story' });
  await expect(preview.getByRole('heading', { name: 'The first message' })).toBeVisible();
  await expect(preview.getByRole('strong')).toHaveText('three days');
  await expect(preview.getByRole('link', { name: /Where we met/ })).toHaveAttribute('target', '_blank');
  await expect(preview.locator('script')).toHaveCount(0);
  await check(page, 'preview');
  await dialog.getByRole('button', { name: 'Submit Story' }).click();
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
  await page.getByRole('button', { name: 'Dismiss' }).click();

  // Until it is decided, only its author sees it.
  await page.getByRole('link', { name: 'My stories' }).click();
  await expect(page.getByText('In review')).toBeVisible();
  await check(page, 'mine');

  const { computer } = await joinAsAdmin(browser, server, 'Mo Approver');
  const admin = await computer.newPage();
  await admin.emulateMedia({ reducedMotion: 'reduce' });
  await admin.goto('/admin/dashboard/community');
  await expect(admin.getByRole('link', { name: /Ann Harper/ })).toBeVisible();
  await expect(admin.getByText('A slow morning')).toBeHidden();
  await admin.keyboard.press('j');
  await admin.keyboard.press('Enter');
  await admin.getByRole('textbox', { name: 'Why do you open it?' }).fill('To decide');
  await admin.keyboard.press('Enter');
  await expect(admin.getByRole('heading', { name: 'The first message' })).toBeVisible();
  const shown = admin.getByRole('img', { name: 'The picture of the story' });
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await expectUsable(admin, 'community review');
  await admin.locator('body').click({ position: { x: 2, y: 2 } });
  await admin.keyboard.press('1');
  await expect(admin.getByRole('radio', { name: /^Approve/ })).toBeChecked();
  await admin.keyboard.press('Control+Enter');
  await expect(admin.getByRole('region', { name: 'Outcome' })).toContainText('Published');

  // Another member reads, likes and comments, then without a connection.
  await other.goto('/community');
  const card = article(other, 'A slow morning changed everything');
  await expect(card).toContainText('by Ann Harper');
  await expect(card).toContainText('Community Story');
  await card.getByRole('button', { name: /^Read More/ }).click();
  await expect(card.getByRole('heading', { name: 'The first message' })).toBeVisible();
  await check(other, 'unfolded');
  await card.getByRole('button', { name: /^Show Less/ }).click();
  await expect(card.getByRole('heading', { name: 'The first message' })).toBeHidden();
  await check(other, 'board');

  // A tag shows the stories that have it; a search marks what it found, also of a word that is being typed.
  await card.getByRole('link', { name: '#slow mornings' }).click();
  await expect(other).toHaveURL(/tag=slow\+mornings/);
  await expect(other.getByText('Stories with #slow mornings')).toBeVisible();
  await expect(card).toBeVisible();
  await check(other, 'tag');
  await other.getByRole('tab', { name: 'Advice' }).click();
  await expect(other.getByRole('heading', { name: 'No stories with #slow mornings' })).toBeVisible();
  await other.getByRole('button', { name: 'Show stories without #slow mornings too' }).click();
  await expect(other.getByRole('heading', { name: 'No stories yet' })).toBeVisible();
  await other.getByRole('tab', { name: 'All' }).click();
  await other.getByRole('searchbox').fill('chánged mornin');
  await expect(card.locator('mark').first()).toBeVisible();
  await expect(card.locator('mark')).toHaveText(['morning', 'changed']);
  await check(other, 'search');
  await other.getByRole('searchbox').fill('the of');
  await expect(other.getByText(/Very common words/)).toBeVisible();
  await other.getByRole('searchbox').fill('');
  await card.getByRole('link', { name: 'A slow morning changed everything', exact: true }).click();
  await expect(other.getByText('No comments yet.')).toBeVisible();

  await b.setOffline(true);
  const like = other.getByRole('button', { name: /^Like / });
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(like).toHaveText('1');
  const field = other.getByRole('textbox', { name: 'Write a comment' });
  await field.fill('I needed to read this today.');
  await field.press('Control+Enter');
  await expect(other.getByText('Waiting to be sent')).toBeVisible();
  await check(other, 'offline');
  await b.setOffline(false);
  await expect(other.getByText('Waiting to be sent')).toBeHidden();
  await expect(like).toHaveText('1');
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => likesOf(server)).toBe(1);

  // The author replies.
  await page.goto('/community');
  await article(page, 'A slow morning changed everything')
    .getByRole('link', { name: /^1 comment on/ })
    .click();
  await expect(page.getByRole('heading', { name: 'Comments' })).toBeFocused();
  await page.getByRole('button', { name: 'Reply to Ben Lowe' }).click();
  const reply = page.getByRole('textbox', { name: 'Reply to Ben Lowe' });
  await expect(reply).toBeFocused();
  await reply.fill('Thank you, Ben.');
  await page.getByRole('button', { name: 'Reply', exact: true }).click();
  await expect(page.getByRole('article', { name: 'Comment by Ann Harper' })).toContainText('Thank you, Ben.');
  await expect(reply).toBeHidden();
  await check(page, 'story');

  // A report of the comment.
  await other.reload();
  await expect(other.getByText('Thank you, Ben.')).toBeVisible();
  await other.getByRole('button', { name: 'Options for the comment by Ann Harper' }).click();
  await other.getByRole('button', { name: /^Report this comment/ }).click();
  const report = other.getByRole('dialog', { name: 'Report this comment' });
  await report.getByText('Rude, insulting or pushy').click();
  await check(other, 'report');
  await report.getByRole('button', { name: 'Send report' }).click();
  await expect(other.getByText('Your report is stored with the evidence.')).toBeVisible();
  await other.getByRole('button', { name: 'Done' }).click();
  await expect(other.getByText('Thank you, Ben.'), 'a report of a comment blocks nobody').toBeVisible();

  await admin.goto('/admin/dashboard/reports');
  await admin.getByRole('link', { name: /Harassment/ }).click();
  await admin.getByRole('textbox', { name: 'Why do you open it?' }).fill('Report of a comment');
  await admin.getByRole('button', { name: 'Open report' }).click();
  await expect(admin.getByText('Thank you, Ben.')).toBeVisible();

  // The author deletes the story for everyone.
  await page.getByRole('button', { name: /^Delete “/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'No stories of yours yet' })).toBeVisible();
  await other.reload();
  await expect(other.getByRole('heading', { name: 'This story is not here' })).toBeVisible();
  await check(other, 'gone');
  await Promise.all([a.close(), b.close(), computer.close()]);
});

const likesOf = async (server: Server) =>
  Number((await server.query<{ count: string }>('SELECT count(*) FROM post_likes'))[0]?.count);

test('a visitor reads the board and a story, also without JavaScript, and reports an issue', async ({
  browser,
  ownServer: server,
}) => {
  const phone = await newPhone(browser, server.url);
  const ann = await join(phone, server, 'Ann Harper');
  await publish(server, ann);
  const visitor = await newPhone(browser, server.url);
  const plain = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false });
  const [page, document] = [await visitor.newPage(), await plain.newPage()];
  await page.emulateMedia({ reducedMotion: 'reduce' });

  await document.goto('/community');
  await document.getByRole('link', { name: 'Experience', exact: true }).click();
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await page.goto(document.url());
  await expect(page.getByRole('tab', { name: 'Experience' })).toHaveAttribute('aria-selected', 'true');
  await expect(article(page, 'Morning light')).toBeVisible();
  expect(requested).toContain('/api/community/posts');
  expect(requested, 'only all stories stand below the popular ones').not.toContain('/api/community/popular');
  await document.getByRole('link', { name: 'Morning light' }).click();
  await expect(document.getByRole('heading', { name: 'Morning light' })).toBeVisible();
  await expect(document.getByText('It was raining.')).toBeVisible();
  await document.getByRole('link', { name: '#sundays' }).click();
  await expect(document.getByText('Stories with the tag #sundays')).toBeVisible();
  await expect(document.getByRole('link', { name: 'Morning light' })).toBeVisible();
  await expect(document.getByText('Harper'), 'the full name is for members').toHaveCount(0);

  await page.goto('/');
  await page.getByRole('link', { name: 'Community', exact: true }).click();
  const card = article(page, 'Morning light');
  await expect(card).toContainText('by Ann');
  await expect(card).not.toContainText('Harper');
  await expect(page.getByRole('link', { name: 'Sign In to Share Your Story' })).toHaveAttribute(
    'href',
    '/signup',
  );
  await expect(page.getByText('Join our community to share your experiences')).toBeVisible();
  await expect(page.getByText('Stories are reviewed before publishing')).toBeVisible();
  await card.getByRole('button', { name: /^Like/ }).click();
  await expect(page.getByText('Please sign in', { exact: true })).toBeVisible();
  await expect(page.getByText('You need to be signed in to like posts.')).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await check(page, 'visitor');

  // What most members like this week is above the board, from three stories on.
  const popular = page.getByRole('region', { name: 'Popular this week' });
  await expect(popular).toBeHidden();
  await publishLiked(server, ann);
  await page.reload();
  await expect(popular.getByRole('link')).toHaveText(['Ten likes', 'Five likes', 'Two likes']);
  await check(page, 'popular');
  await popular.getByRole('link', { name: 'Five likes' }).click();
  await expect(page).toHaveURL(/\/community\/[0-9a-f-]{36}$/);
  // The address changes before the screen does, and the board has a heading of this name too.
  await expect(page.getByText('A story.', { exact: true })).toBeVisible();
  await page.goBack();
  await page.getByRole('searchbox').fill('likes');
  await expect(page).toHaveURL(/q=likes/);
  await expect(popular).toBeHidden();
  await page.getByRole('searchbox').fill('');
  await expect(popular).toBeVisible();
  await page.getByRole('tab', { name: 'Blog' }).click();
  await expect(page.getByRole('heading', { name: 'No stories yet' })).toBeVisible();
  await expect(page, 'the address of the same list of the server').toHaveURL(/\/community\?category=blog$/);
  await page.keyboard.press('Home');
  await page.getByRole('searchbox').fill('raining');
  await expect(page).toHaveURL(/q=raining/);
  await expect(card).toBeVisible();
  await card.getByRole('link', { name: 'Morning light', exact: true }).click();
  await expect(page.getByText('It was raining.')).toBeVisible();
  await check(page, 'visitor story');

  await page.goto('/community/rules');
  await check(page, 'rules');
  await page.getByRole('button', { name: 'Report an Issue' }).click();
  const dialog = page.getByRole('dialog', { name: 'Report an Issue' });
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(dialog.getByText('Please choose what it is about.')).toBeVisible();
  await check(page, 'issue');
  await dialog.getByRole('combobox').selectOption('Something does not work');
  await dialog.getByRole('textbox', { name: 'What is the issue?' }).fill('The page stays white on my phone.');
  await dialog.getByRole('textbox', { name: /email/ }).fill('vera@example.test');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText("If we have a question, we'll write to you.")).toBeVisible();

  const { computer } = await joinAsAdmin(browser, server, 'Mo Helper');
  const admin = await computer.newPage();
  await admin.emulateMedia({ reducedMotion: 'reduce' });
  await admin.goto('/admin/dashboard/reports');
  await admin.getByRole('link', { name: /Issue: something does not work/ }).click();
  await admin.getByRole('textbox', { name: 'Why do you open it?' }).fill('A visitor needs help');
  await admin.getByRole('button', { name: 'Open report' }).click();
  await expect(admin.getByText('The page stays white on my phone.')).toBeVisible();
  await expectUsable(admin, 'issue');
  await admin.getByRole('textbox', { name: 'Answer' }).fill('We have repaired it. Thank you!');
  await admin.getByRole('textbox', { name: 'What was done' }).fill('Repaired');
  await admin.keyboard.press('Control+Enter');
  await expect(admin.getByRole('region', { name: 'Outcome' })).toContainText(
    'The reporter gets an email with your answer.',
  );
  expect((await server.mail('vera@example.test', '')).text).toContain('We have repaired it.');
  await Promise.all([phone.close(), visitor.close(), plain.close(), computer.close()]);
});

/** Inserts three stories of this week with likes directly into the database. */
async function publishLiked(server: Server, { id }: Person): Promise<void> {
  await server.query(
    `INSERT INTO community_posts (author_id, client_id, title, excerpt, content, category, tags, status, like_count, published_at,
       decided_at)
     SELECT $1, gen_random_uuid(), n.title, 'A summary.', 'A story.', 'experience', ARRAY['experience'], 'published', n.likes,
       now() - interval '1 day', now()
     FROM (VALUES ('Five likes', 5), ('Two likes', 2), ('Ten likes', 10)) n (title, likes)`,
    [id],
  );
}
