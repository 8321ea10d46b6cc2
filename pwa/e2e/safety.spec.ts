import type { BrowserContext, Page } from '@playwright/test';
import { waitForCandidates } from './support/deck.ts';
import { addPeople, hideAllMembers } from './support/people.ts';
import { join, match, openConversation, type Person, sendMessage } from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

/** Waits until Ben is in the search index, which takes up to a second. */
const waitForBen = (a: BrowserContext) => waitForCandidates(a, 1);

type Place = {
  name: string;
  /** The name of the place in the report. */
  place: string;
  /** Makes Ben appear there. */
  prepare?: (ann: BrowserContext, ben: Person, server: Server) => Promise<unknown>;
  path: (ben: Person) => string;
  /** Opens what has the menu. */
  open?: (page: Page) => Promise<void>;
};

/** Stores a like from Ben to Ann. */
async function likeAnn(ann: BrowserContext, ben: Person, server: Server): Promise<void> {
  const me = (await (await ann.request.get('/api/auth/user')).json()) as { id: string };
  await server.query(
    `INSERT INTO user_likes (id, from_user_id, to_user_id, like_type) VALUES (gen_random_uuid(), $1, $2, 'like')`,
    [ben.id, me.id],
  );
}

/** Matches Ann and Ben. */
async function matchWithAnn(ann: BrowserContext, ben: Person, server: Server): Promise<void> {
  await likeAnn(ann, ben, server);
  const data = { toUserId: ben.id, likeType: 'like' };
  const response = await ann.request.post('/api/likes', { data });
  expect(await response.json()).toMatchObject({ isMatch: true });
}

const places: Place[] = [
  { name: 'the grid', place: 'card', prepare: waitForBen, path: () => '/discover' },
  { name: 'their page', place: 'profile', path: ({ id }) => `/profile/${id}` },
  {
    name: 'the likes',
    place: 'likes',
    prepare: likeAnn,
    path: () => '/matches/likes',
    open: (page) => page.getByRole('button', { name: /^Ben, 31/ }).click(),
  },
  { name: 'the matches', place: 'match', prepare: matchWithAnn, path: () => '/matches' },
  {
    name: 'the conversation',
    place: 'conversation',
    prepare: matchWithAnn,
    path: ({ id }) => `/messages/${id}`,
  },
];

/** Returns all rows of the device's database as one text. */
function readDatabase(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const [found] = (await indexedDB.databases()).filter(({ name }) => name?.startsWith('heartward-'));
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(found?.name ?? '');
      request.onsuccess = () => resolve(request.result);
    });
    const rows = await Promise.all(
      [...db.objectStoreNames].map(
        (table) =>
          new Promise((resolve) => {
            const request = db.transaction(table).objectStore(table).getAll();
            request.onsuccess = () => resolve(request.result);
          }),
      ),
    );
    db.close();
    return JSON.stringify(rows);
  });
}

test('blocking from the deck removes all data of the blocked member from the device', async ({
  phoneA,
  phoneB,
  server,
}) => {
  await hideAllMembers(server);
  const ann = await join(phoneA, server, 'Ann Block');
  const ben = await join(phoneB, server, 'Ben Block');
  await waitForBen(phoneA);
  const page = await phoneA.newPage();
  await page.goto('/');
  await page.getByRole('button', { name: 'More about Ben' }).click();
  await page.getByRole('button', { name: 'Options for Ben' }).click();
  await page.getByRole('button', { name: /^Block/ }).click();
  await page.getByRole('dialog', { name: 'Block Ben?' }).getByRole('button', { name: 'Block' }).click();
  await expect(page.getByText('Ben is blocked')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Options for Ben' })).toHaveCount(0);
  expect(await readDatabase(page)).not.toContain(ben.id);
  expect((await phoneA.request.get(`/api/users/${ben.id}`)).status()).toBe(404);
  expect((await phoneB.request.get(`/api/users/${ann.id}`)).status()).toBe(404);
});

test('a report from every screen is confirmed, stored, and removes the member from view', async ({
  phoneA,
  server,
}) => {
  await hideAllMembers(server);
  const ann = await join(phoneA, server, 'Ann Report');
  const page = await phoneA.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const { name, place, prepare, path, open } of places) {
    await test.step(`from ${name}`, async () => {
      const [ben] = await addPeople(server, 'Ben Report');
      if (!ben) throw new Error('Ben was not added');
      await prepare?.(phoneA, ben, server);
      await page.goto(path(ben));
      await open?.(page);
      await page.getByRole('button', { name: 'Options for Ben' }).click();
      await page.getByRole('button', { name: /^Report/ }).click();
      const sheet = page.getByRole('dialog', { name: 'Report Ben' });
      await sheet.getByRole('button', { name: 'Send report' }).click();
      await expect(sheet.getByRole('alert')).toHaveText('Please choose what is wrong.');
      await sheet.getByText('Threatens me or someone else').click();
      await expect(sheet.getByText('call 911 or your local emergency number first')).toBeVisible();
      await sheet.getByLabel('Tell us more (optional)').fill('He said he would find me.');
      await sheet.getByRole('button', { name: 'Send report' }).click();
      const confirmation = page.getByRole('dialog', { name: 'Thank you for telling us' });
      await expect(confirmation).toContainText('Your report is stored with the evidence.');
      await expect(confirmation).toContainText('call 911');
      await confirmation.getByRole('button', { name: 'Done' }).click();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(page.getByRole('button', { name: 'Options for Ben' })).toHaveCount(0);
      expect(await readDatabase(page)).not.toContain(ben.id);
      expect(
        await server.query(
          `SELECT reason, description, place, priority FROM reports WHERE reporter_id = $1 AND reported_user_id = $2`,
          [ann.id, ben.id],
        ),
      ).toEqual([{ reason: 'threat', description: 'He said he would find me.', place, priority: 0 }]);
    });
  }
});

test('the blocked member loses match and conversation live, and unblocking restores neither', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Live');
  const ben = await join(phoneB, server, 'Ben Live');
  await match(phoneA, ann, phoneB, ben);
  const pageB = await openConversation(phoneB, ann);
  await sendMessage(pageB, 'Hello?');
  const page = await openConversation(phoneA, ben);
  await page.getByRole('button', { name: 'Options for Ben' }).click();
  await page.getByRole('button', { name: /^Block/ }).click();
  await page.getByRole('dialog', { name: 'Block Ben?' }).getByRole('button', { name: 'Block' }).click();
  await expect(page, 'the list replaces the conversation').toHaveURL(/\/messages$/);
  await expect(pageB.getByText("This conversation isn't here")).toBeVisible();
  await expect.poll(() => readDatabase(pageB)).not.toContain(ann.id);

  await page.goto('/settings?tab=privacy');
  await page.getByRole('button', { name: 'Unblock Ben' }).click();
  await expect(page.getByText('Ben is unblocked')).toBeVisible();
  await expect(page.getByText("You haven't blocked anyone.")).toBeVisible();
  expect((await phoneA.request.get(`/api/users/${ben.id}`)).status(), 'their match has ended').toBe(404);
  await page.goto('/matches');
  await expect(page.getByRole('heading', { name: 'No matches yet' })).toBeVisible();
});

test('offline, blocking claims no success', async ({ phoneA, phoneB, server }) => {
  const ann = await join(phoneA, server, 'Ann Net');
  const ben = await join(phoneB, server, 'Ben Net');
  await match(phoneA, ann, phoneB, ben);
  const page = await phoneA.newPage();
  await page.goto('/matches');
  await page.getByRole('button', { name: 'Options for Ben' }).click();
  await page.getByRole('button', { name: /^Block/ }).click();
  await phoneA.setOffline(true);
  const dialog = page.getByRole('dialog', { name: 'Block Ben?' });
  await dialog.getByRole('button', { name: 'Block' }).click();
  await expect(dialog.getByRole('alert')).toContainText('We could not reach Heartward');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('article')).toContainText('Ben, 31');
});
