import { readFileSync } from 'node:fs';
import { expectUsable, joinAsAdmin } from './support/admin.ts';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { portraitFile } from './support/editor.ts';
import { findLayoutFaults } from './support/layout.ts';
import { join, match, newPhone } from './support/phones.ts';
import { addPhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';

const shot = (name: string) =>
  process.env.SHOTS ? `${process.env.SHOTS}/graduation-${name}.png` : undefined;

test('two members graduate, everyone reads it on the wall, one withdraws, and only by choice they return', async ({
  browser,
  ownServer: server,
}) => {
  const [a, b] = [await newPhone(browser, server.url), await newPhone(browser, server.url)];
  const ann = await join(a, server, 'Ann Leaving');
  const ben = await join(b, server, 'Ben Leaving');
  await match(a, ann, b, ben);
  await addPhoto(a, readFileSync(portraitFile));
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
  await expectAccessibleInEveryTheme(partner, 'request');
  expect(await findLayoutFaults(partner)).toEqual([]);
  await partner.screenshot({ path: shot('request'), fullPage: true });
  await request.getByRole('button', { name: 'Yes, graduate together' }).click();
  await expect(partner.getByRole('heading', { name: 'A moderator looks at it now' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'A moderator looks at it now' })).toBeVisible();

  const { computer } = await joinAsAdmin(browser, server, 'Mo Approver');
  const admin = await computer.newPage();
  await admin.emulateMedia({ reducedMotion: 'reduce' });
  await admin.goto('/admin/dashboard/graduations');
  await admin.getByRole('link', { name: /Ann Leaving & Ben Leaving/ }).click();
  const picture = admin.getByRole('img', { name: 'Picture 1' });
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await expectUsable(admin, 'graduation');
  await admin.screenshot({ path: shot('admin'), fullPage: true });
  await admin.getByRole('radio', { name: /^Approve/ }).check();
  await admin.keyboard.press('Control+Enter');
  await expect(admin.getByRole('region', { name: 'Outcome' })).toContainText(
    'Graduation approved successfully',
  );

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
  }
  const shown = wall.getByRole('img', { name: 'Picture 1 of Ann and Ben' });
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
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
