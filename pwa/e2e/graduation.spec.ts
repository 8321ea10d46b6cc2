import { readFileSync } from 'node:fs';
import type { BrowserContext, Locator } from '@playwright/test';
import { expectUsable, joinAsAdmin } from './support/admin.ts';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { portraitFile } from './support/editor.ts';
import { findLayoutFaults } from './support/layout.ts';
import { join, match, newPhone, type Person } from './support/phones.ts';
import { addPhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';

const shot = (name: string) =>
  process.env.SHOTS ? `${process.env.SHOTS}/graduation-${name}.png` : undefined;

/** Waits for a picture, also while the app replaces the server's. */
async function expectLoaded(picture: Locator): Promise<void> {
  await expect(async () => {
    await picture.scrollIntoViewIfNeeded();
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }).toPass();
}

/** Makes a couple of two matched phones by the API, up to the moderator's approval. */
async function graduate(a: BrowserContext, b: BrowserContext, partner: Person, admin: BrowserContext) {
  const send = async (phone: BrowserContext, method: 'POST' | 'PUT', path: string, data: object) => {
    const response = await phone.request.fetch(path, { method, data });
    expect(response.ok(), await response.text()).toBe(true);
    return response;
  };
  const asked = { userTwoId: partner.id, legacyMessage: 'Slow mornings.', showOnLegacyWall: true };
  const { couple } = await (await send(a, 'POST', '/api/graduate', asked)).json();
  await send(b, 'POST', `/api/graduation/requests/${couple.id}/accept`, { showOnLegacyWall: true });
  await send(admin, 'POST', `/api/admin/graduations/${couple.id}/open`, { reason: 'The queue' });
  await send(admin, 'PUT', `/api/admin/graduations/${couple.id}/approve`, {});
}

test('two members graduate, everyone reads it on the wall, one withdraws, and only by choice they return', async ({
  browser,
  ownServer: server,
}) => {
  const [a, b] = [await newPhone(browser, server.url), await newPhone(browser, server.url)];
  const ann = await join(a, server, 'Ann Leaving');
  const ben = await join(b, server, 'Ben Leaving');
  await match(a, ann, b, ben);
  for (const phone of [a, b]) await addPhoto(phone, readFileSync(portraitFile));
  const page = await a.newPage();
  const partner = await b.newPage();
  for (const each of [page, partner]) await each.emulateMedia({ reducedMotion: 'reduce' });

  await page.goto('/graduation');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText("Please enter your partner's email address.")).toBeVisible();
  await expectAccessibleInEveryTheme(page, 'confirm');
  expect(await findLayoutFaults(page)).toEqual([]);
  await page.screenshot({ path: shot('confirm'), fullPage: true });
  await page.getByRole('textbox', { name: /partner's email address/ }).fill(ben.email.toUpperCase());
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('textbox', { name: /Legacy message/ }).fill('We both like slow mornings.');
  await page.getByRole('button', { name: 'Picture 1' }).click();
  // Nothing is lost between the steps.
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('textbox', { name: /partner's email address/ })).toHaveValue(
    ben.email.toUpperCase(),
  );
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('textbox', { name: /Legacy message/ })).toHaveValue(
    'We both like slow mornings.',
  );
  await expect(page.getByRole('button', { name: 'Picture 1' })).toHaveAttribute('aria-pressed', 'true');
  await expectAccessibleInEveryTheme(page, 'legacy');
  expect(await findLayoutFaults(page)).toEqual([]);
  await page.screenshot({ path: shot('legacy'), fullPage: true });
  await partner.goto('/graduation');
  await expect(partner.getByRole('heading', { name: 'Who are you leaving with?' })).toBeVisible();
  await page.getByRole('button', { name: 'Ask to graduate' }).click();
  await expect(page.getByText('Congratulations! 🎉')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Waiting for the answer' })).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.screenshot({ path: shot('asked'), fullPage: true });

  // Over the socket, without a reload.
  const request = partner.getByRole('region', { name: 'Ann asks' });
  await expect(request).toContainText('We both like slow mornings.');
  await expectLoaded(request.getByRole('img', { name: 'Picture 1' }));
  await request.getByRole('button', { name: 'Picture 1' }).click();
  await expectAccessibleInEveryTheme(partner, 'request');
  expect(await findLayoutFaults(partner)).toEqual([]);
  await partner.screenshot({ path: shot('request'), fullPage: true });
  await request.getByRole('button', { name: 'Yes, graduate together' }).click();
  await expect(partner.getByRole('heading', { name: 'A moderator looks at it now' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'A moderator looks at it now' })).toBeVisible();

  const mail = await server.mail(ben.email, 'Ann wants to graduate with you');
  expect(mail.text).toContain('/graduation');

  // His pictures are on the wall only when she wants it.
  const show = page.getByRole('button', { name: "Show Ben's pictures on the wall" });
  await expectLoaded(page.getByRole('img', { name: 'Picture 1' }));
  await expect(partner.getByText('Ann has not agreed to all of your pictures.')).toBeVisible();
  await expectAccessibleInEveryTheme(page, 'agreement');
  await page.screenshot({ path: shot('agreement'), fullPage: true });
  await show.click();
  await expect(page.getByRole('button', { name: "Take Ben's pictures off the wall" })).toBeVisible();
  await expect(partner.getByText('Ann has not agreed to all of your pictures.')).toBeHidden();

  const { computer } = await joinAsAdmin(browser, server, 'Mo Approver');
  const admin = await computer.newPage();
  await admin.emulateMedia({ reducedMotion: 'reduce' });
  await admin.goto('/admin/dashboard/graduations');
  await admin.getByRole('link', { name: /Ann Leaving & Ben Leaving/ }).click();
  await admin.getByRole('textbox', { name: 'Why do you open it?' }).fill('To decide');
  await admin.keyboard.press('Enter');
  await expectLoaded(admin.getByRole('img', { name: 'Picture 1' }));
  await expectUsable(admin, 'graduation');
  await admin.screenshot({ path: shot('admin'), fullPage: true });
  await admin.getByRole('radio', { name: /^Approve/ }).check();
  await admin.keyboard.press('Control+Enter');
  await expect(admin.getByText('Graduation approved successfully')).toBeVisible();
  await expect(admin.getByRole('region', { name: 'Outcome' })).toContainText('Approved');

  for (const each of [page, partner]) {
    const celebration = each.getByRole('dialog', { name: 'You have graduated!' });
    await expect(celebration).toBeVisible();
    await each.keyboard.press('Escape');
    await expect(celebration).toBeHidden();
  }
  await expect(page.getByRole('heading', { name: 'You have graduated!' })).toBeVisible();
  await expectAccessibleInEveryTheme(page, 'graduated');
  expect(await findLayoutFaults(page)).toEqual([]);
  await page.screenshot({ path: shot('graduated'), fullPage: true });
  const found = () => computer.request.get(`/api/users/${ann.id}`).then((response) => response.status());
  expect(await found()).toBe(404);

  // A visitor, also without JavaScript.
  const visitor = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' });
  const plain = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false });
  const [wall, document] = [await visitor.newPage(), await plain.newPage()];
  await wall.goto('/legacy-wall');
  await document.goto('/legacy-wall');
  for (const each of [wall, document]) {
    await expect(each.getByRole('heading', { name: 'Ann & Ben' })).toBeVisible();
    await expect(each.getByText('We both like slow mornings.')).toBeVisible();
    await expect(each.getByText('Leaving')).toHaveCount(0);
    for (const number of [1, 2])
      await expectLoaded(each.getByRole('img', { name: `Picture ${number} of Ann and Ben` }));
  }
  await expectAccessibleInEveryTheme(wall, 'wall');
  expect(await findLayoutFaults(wall)).toEqual([]);
  await wall.screenshot({ path: shot('wall'), fullPage: true });
  await document.screenshot({ path: shot('document'), fullPage: true });
  await wall.goto('/');
  const stories = wall.getByRole('region', { name: 'They left together' });
  await expect(stories).toContainText('We both like slow mornings.');
  await expect(stories).toContainText('Ann & Ben');
  await expect(stories).not.toContainText('Sample');
  await expectAccessibleInEveryTheme(wall, 'stories');
  await wall.screenshot({ path: shot('stories'), fullPage: true });
  await stories.getByRole('link', { name: 'See the Legacy Wall' }).click();
  await expect(wall.getByRole('heading', { name: 'Ann & Ben' })).toBeVisible();

  await partner.getByRole('button', { name: 'Withdraw' }).click();
  await partner.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect(partner.getByRole('heading', { name: 'Nobody finds you at the moment' })).toBeVisible();
  await wall.reload();
  await expect(wall.getByText('No legacy messages yet')).toBeVisible();
  await wall.screenshot({ path: shot('empty'), fullPage: true });
  await expect(page.getByText('Your graduation was withdrawn.')).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByText('Your graduation was withdrawn.')).toBeHidden();
  expect(await found()).toBe(404);
  await page.getByRole('button', { name: 'Return to Discover' }).click();
  await expect(page.getByText('Others can find you again.')).toBeVisible();
  expect(await found()).toBe(200);
  await Promise.all([visitor.close(), plain.close(), computer.close(), a.close(), b.close()]);
});

test('a member chooses a match who would rather wait, and can ask again', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Early');
  const ben = await join(phoneB, server, 'Ben Early');
  await match(phoneA, ann, phoneB, ben);
  const page = await phoneA.newPage();
  await page.goto('/matches');
  await expect(page.getByText('Ben Early').first()).toBeVisible();
  await page.goto('/graduation');
  await page.getByRole('combobox', { name: 'Choose from your matches' }).selectOption('Ben Early');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Ask to graduate' }).click();
  await expect(page.getByText('If Ben is one of your matches')).toBeVisible();

  const partner = await phoneB.newPage();
  await partner.goto('/graduation');
  await partner.getByRole('button', { name: 'Not now' }).click();
  await partner.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await expect(partner.getByRole('region', { name: 'Ann asks' })).toHaveCount(0);
  await expect(page.getByText('Your partner would rather wait.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Who are you leaving with?' })).toBeVisible();
});

test('a couple appears on the wall that another member has open, and leaves it when one withdraws', async ({
  browser,
  ownServer: server,
}) => {
  const [a, b, c] = [
    await newPhone(browser, server.url),
    await newPhone(browser, server.url),
    await newPhone(browser, server.url),
  ];
  const ann = await join(a, server, 'Ann Wall');
  const ben = await join(b, server, 'Ben Wall');
  await join(c, server, 'Cleo Wall');
  const { computer } = await joinAsAdmin(browser, server, 'Mo Wall');
  await match(a, ann, b, ben);
  const reader = await c.newPage();
  const opened = reader.waitForEvent('websocket');
  await reader.goto('/legacy-wall');
  await expect(reader.getByText('No legacy messages yet')).toBeVisible();
  await (await opened).waitForEvent('framereceived');
  const entry = reader.getByRole('heading', { name: 'Ann & Ben' });

  await graduate(a, b, ben, computer);
  await expect(entry).toBeVisible();
  const partner = await b.newPage();
  await partner.emulateMedia({ reducedMotion: 'reduce' });
  await partner.goto('/graduation');
  await partner.getByRole('dialog', { name: 'You have graduated!' }).waitFor();
  await partner.keyboard.press('Escape');
  await partner.getByRole('switch', { name: 'Show us on the Legacy Wall' }).click();
  await expect(entry).toBeHidden();
  await partner.getByRole('switch', { name: 'Show us on the Legacy Wall' }).click();
  await expect(entry).toBeVisible();
  await partner.getByRole('button', { name: 'Withdraw' }).click();
  await partner.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect(entry).toBeHidden();
  await expect(reader.getByText('No legacy messages yet')).toBeVisible();
  await Promise.all([a, b, c, computer].map((phone) => phone.close()));
});

test('a graduation that was approved while the phone was off is celebrated at its next start', async ({
  browser,
  ownServer: server,
}) => {
  const [a, b] = [await newPhone(browser, server.url), await newPhone(browser, server.url)];
  const ann = await join(a, server, 'Ann Missed');
  const ben = await join(b, server, 'Ben Missed');
  const { computer } = await joinAsAdmin(browser, server, 'Mo Missed');
  await match(a, ann, b, ben);
  const before = await a.newPage();
  await before.goto('/');
  await expect(before.getByRole('navigation').first()).toBeVisible();
  await before.close();

  await graduate(a, b, ben, computer);
  const page = await a.newPage();
  await page.goto('/matches');
  await expect(page.getByRole('dialog', { name: 'You have graduated!' })).toBeVisible();
  await Promise.all([a, b, computer].map((phone) => phone.close()));
});

test('an address that the server refuses is marked in its field, and nothing that was written is lost', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Careful');
  const ben = await join(phoneB, server, 'Ben Careful');
  await match(phoneA, ann, phoneB, ben);
  const page = await phoneA.newPage();
  await page.goto('/graduation');
  const address = page.getByRole('textbox', { name: /partner's email address/ });
  await address.fill(ann.email);
  await page.getByRole('button', { name: 'Continue' }).click();
  const message = page.getByRole('textbox', { name: /Legacy message/ });
  await message.fill('We both like slow mornings.');
  await page.getByRole('button', { name: 'Ask to graduate' }).click();
  await expect(page.getByText('That is your own address. It takes two to graduate.')).toHaveCount(1);
  await expect(address).toBeFocused();

  // A request arrives meanwhile: what was written stays, and can still be sent to another.
  await phoneB.request.post('/api/graduate', {
    data: { userTwoId: ann.id, legacyMessage: null, showOnLegacyWall: false },
  });
  await expect(page.getByRole('region', { name: 'Ben asks' })).toBeVisible();
  await address.fill('somebody@example.test');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(message).toHaveValue('We both like slow mornings.');
  await page.reload();
  await page.getByRole('button', { name: 'Ask someone else' }).click();
  await expect(page.getByRole('heading', { name: 'Who are you leaving with?' })).toBeVisible();
});
