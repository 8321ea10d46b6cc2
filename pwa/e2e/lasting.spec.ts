/** What lasts beyond an account or a visit: refused ages and blocked addresses. */
import type { BrowserContext } from '@playwright/test';
import { codeFor, join, newEmail, newPhone, waitForServiceWorker, withWorker } from './support/phones.ts';
import { expect, test } from './support/test.ts';

test('a visitor of 17 is asked to come back tomorrow, with any age and address, after a reload and offline', async ({
  browser,
  baseURL,
  server,
}) => {
  const phone = await newPhone(browser, baseURL ?? '', withWorker);
  const page = await phone.newPage();
  const email = newEmail('Kim Young');
  await page.goto('/signup');
  await waitForServiceWorker(page);
  await page.getByLabel('Full Name').fill('Kim Young');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Age').fill('17');
  await page.getByLabel('City').fill('Boise');
  await page.getByLabel('State').fill('ID');
  await page.getByLabel('Bio/Reflection').fill('Long walks, short stories.');
  await page.getByRole('checkbox', { name: /Honor Code/ }).check();
  await page.getByRole('button', { name: 'Create My Profile' }).click();
  await page.getByLabel('Your code').fill(await codeFor(server, email));
  const notice = page.getByText('please come back after');
  await expect(notice).toBeVisible();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/age.png` });
  expect(await page.evaluate(() => localStorage.getItem('hw.sign-up')), 'the form is gone').toBeNull();
  await page.reload();
  await expect(notice).toBeVisible();
  await phone.setOffline(true);
  await page.reload();
  await expect(notice).toBeVisible();
  await phone.setOffline(false);

  await page.evaluate(() => localStorage.clear());
  const other = newEmail('Kim Older');
  await phone.request.post('/api/auth/code', { data: { email: other } });
  const response = await phone.request.post('/api/users', {
    data: {
      email: other,
      fullName: 'Kim Older',
      age: 18,
      city: 'Boise',
      state: 'ID',
      bio: 'Hi',
      code: await codeFor(server, other),
      honorCode: true,
    },
  });
  expect(response.status()).toBe(403);
  await phone.close();
});

/** Whether the member with this id is among the candidates of the phone's member. */
async function isOffered(phone: BrowserContext, id: string): Promise<boolean> {
  const list = (await (await phone.request.get('/api/discover')).json()) as { id: string }[];
  return list.some((member) => member.id === id);
}

test('a member blocks an address, does not meet the member who has it, and removes the entry', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const una = await join(phoneA, server, 'Una Unseen', { city: 'Nome', state: 'AK' });
  const ex = await join(phoneB, server, 'Eddie Ex', { city: 'Nome', state: 'AK' });
  await expect.poll(() => isOffered(phoneB, una.id)).toBe(true);
  const page = await phoneA.newPage();
  await page.goto('/settings?tab=privacy');
  await page.getByLabel('Their email address').fill('eddie');
  await page.getByLabel('A name for this entry').fill('My ex');
  await page.getByRole('button', { name: 'Block this address' }).click();
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  await page.getByLabel('Their email address').fill(ex.email.replace('@', '+dating@'));
  await page.getByRole('button', { name: 'Block this address' }).click();
  const remove = page.getByRole('button', { name: 'Remove My ex' });
  await expect(remove).toBeVisible();
  if (process.env.SHOTS) {
    await remove.scrollIntoViewIfNeeded();
    await page.screenshot({ path: `${process.env.SHOTS}/addresses.png` });
  }
  await expect(page.getByText("You haven't blocked anyone."), 'no one is told who has it').toBeVisible();
  await expect.poll(() => isOffered(phoneB, una.id)).toBe(false);
  await expect.poll(() => isOffered(phoneA, ex.id)).toBe(false);
  await remove.click();
  await expect(remove).toBeHidden();
  await expect.poll(() => isOffered(phoneB, una.id)).toBe(true);
});
