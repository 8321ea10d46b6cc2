import type { Page } from '@playwright/test';
import {
  bubbles,
  installed,
  join,
  match,
  openConversation,
  ticks,
  withWorker,
  write,
} from './support/phones.ts';
import { expect, test } from './support/test.ts';

test.use(withWorker);

const secret = 'meet me at the old lighthouse';

/** Everything a page of this origin can read from the device, as one text. */
async function everythingOnDevice(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const { name } of await indexedDB.databases()) {
      if (!name) continue;
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const open = indexedDB.open(name);
        open.onsuccess = () => resolve(open.result);
        open.onerror = () => reject(open.error);
      });
      for (const store of db.objectStoreNames) {
        const rows = await new Promise((resolve, reject) => {
          const all = db.transaction(store).objectStore(store).getAll();
          all.onsuccess = () => resolve(all.result);
          all.onerror = () => reject(all.error);
        });
        found.push({ name, store, rows });
      }
      db.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) found.push({ cache: name, url: request.url });
    }
    return JSON.stringify(found);
  });
}

test('logging out leaves no message, profile or file on the device', async ({ phoneA, phoneB, server }) => {
  const ann = await join(phoneA, server, 'Ann Quiet');
  const ben = await join(phoneB, server, 'Ben Quiet');
  await match(phoneA, ann, phoneB, ben);
  const page = await openConversation(phoneA, ben);
  await write(page, secret);
  await expect(ticks(page, 'sent')).toBeVisible();
  await installed(page);
  await page.goto('/discover');
  await page.goto('/matches');
  await expect(page.getByText('Ben').first()).toBeVisible();
  const before = await everythingOnDevice(page);
  expect(before).toContain(secret);
  expect(before).toContain(ben.id);

  await page.goto('/profile');
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).last().click();
  await expect(page.getByRole('link', { name: /Start Your Love Story Free/ }).first()).toBeVisible();

  const after = await everythingOnDevice(page);
  for (const trace of [secret, ann.id, ben.id, ann.email, 'Ben Quiet', '/files/']) {
    expect(after).not.toContain(trace);
  }
  expect((await phoneA.request.get('/api/auth/user')).status()).toBe(401);
});

test('the other tab is signed out as well, and nobody sees the last member', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Twotabs');
  const ben = await join(phoneB, server, 'Ben Twotabs');
  await match(phoneA, ann, phoneB, ben);
  const other = await openConversation(phoneA, ben);
  await write(other, secret);
  await expect.poll(() => bubbles(other)).toEqual([secret]);
  const page = await phoneA.newPage();
  await page.goto('/profile');
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).last().click();
  await expect(other.getByText(secret)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'The door is open.' })).toBeVisible();
  await page.goto('/matches');
  await expect(page).toHaveURL(/\/(login|signup)/);
  await expect(page.getByText('Ben')).toHaveCount(0);
});
