import type { BrowserContext, Page } from '@playwright/test';
import { countCelebrations } from './support/celebrations.ts';
import { findLayoutFaults } from './support/layout.ts';
import {
  bubbles,
  composer,
  join,
  keepCelebrationsOpen,
  match,
  newPhone,
  type Person,
  signInOn,
  waitForServiceWorker,
  withWorker,
} from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

const question = 'A perfect Sunday';
const answer = 'Pancakes, then the river.';
test.beforeEach(({ phoneA, phoneB }) => keepCelebrationsOpen(phoneA, phoneB));

const celebration = (page: Page, title: string) => page.getByRole('dialog', { name: title });
const likeCard = (page: Page, name: string) => page.getByRole('article').filter({ hasText: name });

async function answerPrompt(phone: BrowserContext): Promise<void> {
  const prompts = [{ question, answer }];
  const response = await phone.request.patch('/api/users/me', { data: { prompts } });
  expect(response.status(), await response.text()).toBe(200);
}

async function like(phone: BrowserContext, to: Person, more: Record<string, string> = {}): Promise<void> {
  const response = await phone.request.post('/api/likes', {
    data: { toUserId: to.id, likeType: 'like', ...more },
  });
  expect(response.status(), await response.text()).toBe(201);
}

async function matchId(server: Server, one: Person, other: Person): Promise<string> {
  const [row] = await server.query<{ id: string }>(
    'SELECT id FROM matches WHERE $1 IN (user_a, user_b) AND $2 IN (user_a, user_b)',
    [one.id, other.id],
  );
  if (!row) throw new Error('they have not matched');
  return row.id;
}

const countPasses = async (server: Server, from: Person) =>
  (await server.query('SELECT FROM user_passes WHERE from_user_id = $1', [from.id])).length;

test('a like with a comment reaches the other member, and liking back celebrates on both phones', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Words');
  const ben = await join(phoneB, server, 'Ben Words');
  await answerPrompt(phoneB);
  const pageB = await phoneB.newPage();
  await pageB.goto('/profile');
  await expect(pageB.getByRole('link', { name: 'Matches', exact: true })).toBeVisible();
  const pageA = await phoneA.newPage();

  await test.step('Ann likes an answer and comments on it', async () => {
    await pageA.goto(`/profile/${ben.id}`);
    await pageA.getByRole('button', { name: `Like the answer to “${question}”` }).click();
    await pageA.getByLabel('Add a comment (optional)').fill('Blueberry or plain?');
    await pageA.getByRole('dialog').getByRole('button', { name: 'Like', exact: true }).click();
    await expect(pageA.getByText('Like sent!')).toBeVisible();
    await expect(pageA.getByText('Your interest has been shared.')).toBeVisible();
    await expect(pageA.getByRole('button', { name: 'Liked' })).toBeDisabled();
    await expect(pageA.getByRole('button', { name: /Like the answer/ })).toHaveCount(0);
  });

  await test.step('Ben is notified in the app and reads the comment', async () => {
    await pageB.getByRole('link', { name: 'Matches (1 new)' }).click();
    await pageB.getByRole('link', { name: 'Likes you (1)' }).click();
    await expect(likeCard(pageB, 'Ann, 31')).toContainText('“Blueberry or plain?”');
    await likeCard(pageB, 'Ann, 31')
      .getByRole('button', { name: /^Ann, 31/ })
      .click();
    const open = pageB.getByRole('dialog', { name: 'Ann, 31' });
    await expect(open).toContainText(`Ann liked your answer to “${question}”`);
    await expect(open).toContainText('“Blueberry or plain?”');
    await pageB.keyboard.press('Escape');
    await expect(pageB.getByRole('link', { name: 'Matches', exact: true }).last()).toBeVisible();
  });

  await test.step('Ben likes back: both phones celebrate, his with her comment', async () => {
    // The wait starts on both phones before the like, because both celebrate at the same time.
    await Promise.all([
      expect(celebration(pageB, "It's a Match!")).toHaveText(
        /You and Ann like each other.*“Blueberry or plain\?”/,
      ),
      expect(celebration(pageA, "It's a Match!"), 'on another screen').toHaveText(
        /^(?!.*Blueberry).*You and Ben/,
      ),
      pageB.getByRole('button', { name: 'Like back Ann' }).click(),
    ]);
    await celebration(pageB, "It's a Match!").click();
    await expect(celebration(pageB, "It's a Match!")).toBeHidden();
    await expect(pageB.getByRole('heading', { name: 'No likes waiting' })).toBeVisible();
    // By keyboard, because a toast covers it.
    await pageB.getByRole('link', { name: 'Matches', exact: true }).first().press('Enter');
    await expect(pageB.getByRole('article')).toContainText('“Blueberry or plain?”');
  });

  await test.step('the conversation begins with the comment on both phones, and also offline', async () => {
    const thread = (page: Page, name: string) => page.getByRole('region', { name: `Messages with ${name}` });
    await pageB.goto(`/messages/${ann.id}`);
    await expect(thread(pageB, 'Ann')).toContainText(
      `Ann liked your answer to “${question}”${answer}“Blueberry or plain?”`,
    );
    await phoneB.setOffline(true);
    await pageB.getByRole('link', { name: 'Back to messages' }).click();
    await pageB.getByRole('link', { name: /^Ann/ }).click();
    await expect(thread(pageB, 'Ann')).toContainText('“Blueberry or plain?”');
    await phoneB.setOffline(false);
    await pageA.goto(`/messages/${ben.id}`);
    await expect(thread(pageA, 'Ben')).toContainText(
      `You liked Ben's answer to “${question}”${answer}“Blueberry or plain?”`,
    );
  });

  await test.step('the answer is suggested as an opener, and the comment stays first', async () => {
    const openers = pageA.getByRole('region', { name: 'Not sure how to begin?' });
    const opener = (await openers.getByRole('button').first().textContent()) ?? '';
    expect(opener).toContain(answer.slice(0, 20));
    await openers.getByRole('button').first().click();
    await expect(composer(pageA)).toHaveValue(opener);
    await pageA.getByRole('button', { name: 'Send message' }).click();
    await expect.poll(() => bubbles(pageA)).toHaveLength(1);
    await expect(pageA.getByRole('listitem').first()).toContainText('“Blueberry or plain?”');
    await pageB.goto('/messages');
    await expect(pageB.getByRole('link', { name: answer })).toBeVisible();
  });
  expect(await matchId(server, ann, ben)).toBeTruthy();
});

test('a super like is announced once over an open conversation and is in the list of likes', async ({
  browser,
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Super');
  const ben = await join(phoneB, server, 'Ben Super');
  const third = await newPhone(browser, server.url);
  const cara = await join(third, server, 'Cara Super');
  await match(phoneB, ben, third, cara);
  const page = await phoneB.newPage();
  await page.goto(`/messages/${cara.id}`);
  await expect(composer(page)).toBeEditable();
  await expect(page.getByText('Connected')).toBeVisible();
  await composer(page).focus();

  await like(phoneA, ben, { likeType: 'super_like', comment: 'Hello you' });
  const overlay = celebration(page, 'Super Spark!');
  await expect(overlay).toContainText('Ann super liked you');
  await expect(overlay).toContainText('“Hello you”');
  const end = overlay.getByRole('button', { name: 'Tap anywhere to continue' });
  await expect(end).toBeFocused();
  await expect(end, 'no frame before a key was pressed').toHaveCSS('outline-style', 'none');
  await page.keyboard.press('Tab');
  await end.focus();
  await expect(end, 'the frame of the keyboard').toHaveCSS('outline-style', 'solid');
  await page.keyboard.press('Escape');
  await expect(overlay).toBeHidden();
  await expect(composer(page), 'the focus is restored').toBeFocused();
  await page.getByRole('button', { name: 'See who likes you' }).click();
  const card = likeCard(page, 'Ann, 31');
  await expect(card).toContainText('Super like');
  await page.reload();
  await expect(likeCard(page, 'Ann, 31')).toBeVisible();
  await expect(overlay).toHaveCount(0);
  expect(ann.id).not.toBe(cara.id);
  await third.close();
});

test('a match opened from a notification is celebrated once, on one device', async ({
  browser,
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Push');
  const ben = await join(phoneB, server, 'Ben Push');
  await match(phoneA, ann, phoneB, ben);
  const id = await matchId(server, ann, ben);
  const page = await phoneB.newPage();
  await page.goto(`/matches?celebrate=${id}`);
  const overlay = celebration(page, "It's a Match!");
  await expect(overlay).toContainText('You and Ann like each other');
  await page.keyboard.press('Escape');
  await expect(page, 'the query is removed from the address').toHaveURL(/\/matches$/);

  const expectNoCelebration = async (other: Page) => {
    await other.goto(`/matches?celebrate=${id}`);
    await expect(other).toHaveURL(/\/matches$/);
    await expect(other.getByRole('article')).toContainText('Ann, 31');
    await expect(celebration(other, "It's a Match!")).toHaveCount(0);
  };
  await expectNoCelebration(page);
  const second = await newPhone(browser, server.url);
  await signInOn(second, server, ben);
  await expectNoCelebration(await second.newPage());
  await second.close();
});

test.describe('with a service worker', () => {
  test.use(withWorker);
  test("offline a stored match is celebrated from the device's data", async ({ phoneA, phoneB, server }) => {
    const ann = await join(phoneA, server, 'Ann Away');
    const ben = await join(phoneB, server, 'Ben Away');
    await match(phoneA, ann, phoneB, ben);
    const id = await matchId(server, ann, ben);
    const page = await phoneB.newPage();
    await page.goto('/profile');
    await waitForServiceWorker(page);
    await expect(page.getByRole('link', { name: 'Matches (1 new)' })).toBeVisible();
    await phoneB.setOffline(true);
    await page.goto(`/matches?celebrate=${id}`);
    await expect(celebration(page, "It's a Match!")).toContainText('You and Ann like each other');
  });
});

test('two tabs celebrate one match once', async ({ phoneA, phoneB, server }) => {
  const ann = await join(phoneA, server, 'Ann Tabs');
  const ben = await join(phoneB, server, 'Ben Tabs');
  const pages = [await phoneB.newPage(), await phoneB.newPage()];
  for (const page of pages) {
    await page.addInitScript(countCelebrations);
    await page.goto('/profile');
    await expect(page.getByRole('heading', { name: 'About Me' })).toBeVisible();
  }
  await like(phoneA, ben);
  for (const page of pages) await expect(page.getByRole('link', { name: 'Matches (1 new)' })).toBeVisible();
  await like(phoneB, ann);
  const celebrationCounts = () => Promise.all(pages.map((page) => page.evaluate(() => window.celebrations)));
  await expect.poll(async () => (await celebrationCounts()).reduce((sum, count) => sum + count, 0)).toBe(1);
  // A celebration is claimed in the database, which both tabs share.
  for (const page of pages) await expect(page.getByRole('link', { name: /^Matches/ })).toBeVisible();
  expect((await celebrationCounts()).sort()).toEqual([0, 1]);
});

test('a pass on a member who likes you is undone in the list of likes, or offline in the list of passes', async ({
  phoneA,
  phoneB,
  server,
}) => {
  await join(phoneA, server, 'Ann Passed');
  const ben = await join(phoneB, server, 'Ben Passed');
  await like(phoneA, ben);
  const page = await phoneB.newPage();
  await page.goto('/matches/likes');

  const passOnAnn = async () => {
    await likeCard(page, 'Ann, 31')
      .getByRole('button', { name: /^Ann, 31/ })
      .click();
    const open = page.getByRole('dialog', { name: 'Ann, 31' });
    await open.getByRole('button', { name: 'Pass on Ann' }).click();
    await expect(open).toBeHidden();
  };

  await test.step('undo in the list of likes', async () => {
    await passOnAnn();
    await expect(page.getByRole('heading', { name: 'No likes waiting' })).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(likeCard(page, 'Ann, 31')).toBeVisible();
    await expect.poll(() => countPasses(server, ben)).toBe(0);
  });

  await test.step('undo in the list of passes, offline', async () => {
    await passOnAnn();
    await expect.poll(() => countPasses(server, ben)).toBe(1);
    await page.getByRole('link', { name: 'Passed' }).click();
    const undoButton = page.getByRole('button', { name: 'Take back the pass on Ann' });
    await expect(undoButton).toBeVisible();
    const size = page.viewportSize() ?? { width: 390, height: 844 };
    expect(await findLayoutFaults(page)).toEqual([]);
    await page.setViewportSize(size);
    await phoneB.setOffline(true);
    await undoButton.click();
    await expect(page.getByText('Ann may be shown to you again')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'No recent passes' })).toBeVisible();
    await phoneB.setOffline(false);
    await expect.poll(() => countPasses(server, ben)).toBe(0);
    await page.getByRole('link', { name: /Likes you/ }).click();
    await expect(likeCard(page, 'Ann, 31'), 'her like is in the list again').toBeVisible();
  });
});

test('a member passed on long ago is liked from the second look', async ({ phoneA, phoneB, server }) => {
  const ann = await join(phoneA, server, 'Ann Again');
  const ben = await join(phoneB, server, 'Ben Again');
  await phoneB.request.post('/api/passes', { data: { targetUserId: ann.id } });
  await server.query(
    "UPDATE user_passes SET created_at = now() - interval '31 days' WHERE from_user_id = $1",
    [ben.id],
  );
  const page = await phoneB.newPage();
  await page.goto('/matches/passed');
  await expect(page.getByRole('heading', { name: 'No recent passes' })).toBeVisible();
  await page.getByRole('tab', { name: 'Second look' }).click();
  await expect(page.getByText('People you passed on more than 30 days ago.')).toBeVisible();
  await page.getByRole('button', { name: 'Like Ann' }).click();
  await expect(page.getByRole('heading', { name: 'No one for a second look yet' })).toBeVisible();
  await expect.poll(() => countPasses(server, ben)).toBe(0);
  const list = await phoneA.newPage();
  await list.goto('/matches/likes');
  await expect(likeCard(list, 'Ben, 31')).toBeVisible();
});

test.describe('the list of likes, with a service worker', () => {
  test.use(withWorker);
  test('shows the number of likes left today, and is there offline', async ({ phoneA, phoneB, server }) => {
    await join(phoneA, server, 'Ann Limit');
    const ben = await join(phoneB, server, 'Ben Limit');
    await like(phoneA, ben);
    await server.query(
      `WITH people AS (
       INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
       SELECT id, id || '@limit.test', 'Lim It', 'Lim', '1990-01-01', left(replace(id::text, '-', ''), 16)
       FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 98)) AS ids RETURNING id)
     INSERT INTO user_likes (id, from_user_id, to_user_id, like_type)
     SELECT gen_random_uuid(), $1, id, 'like' FROM people`,
      [ben.id],
    );
    const page = await phoneB.newPage();
    await page.goto('/matches/likes');
    await expect(page.getByText('You have 2 likes left today.')).toBeVisible();
    await expect(likeCard(page, 'Ann, 31'), 'stored on the device').toBeVisible();
    await waitForServiceWorker(page);
    await phoneB.setOffline(true);
    await page.reload();
    await expect(likeCard(page, 'Ann, 31')).toBeVisible();
  });
});

test('a hello from the celebration of a match is the first message of its conversation', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Hello');
  const ben = await join(phoneB, server, 'Ben Hello');
  await like(phoneB, ann);
  const page = await phoneA.newPage();
  await page.goto(`/profile/${ben.id}`);
  await page.getByRole('button', { name: 'Like', exact: true }).click();
  const overlay = celebration(page, "It's a Match!");
  const field = overlay.getByRole('textbox', { name: 'Say hello to Ben' });
  await field.click();
  await expect(overlay, 'a tap on the field does not end it').toBeVisible();
  await field.fill('Hello from the overlay');
  await field.press('Enter');
  await expect(overlay).toBeHidden();
  await page.getByRole('button', { name: 'Open the chat' }).click();
  await expect.poll(() => bubbles(page)).toEqual(['Hello from the overlay']);
  const other = await phoneB.newPage();
  await other.goto(`/messages/${ann.id}`);
  await expect.poll(() => bubbles(other)).toEqual(['Hello from the overlay']);
});
