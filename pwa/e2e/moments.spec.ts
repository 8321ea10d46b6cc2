import { readFileSync } from 'node:fs';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { portraitFile } from './support/editor.ts';
import { findLayoutFaults } from './support/layout.ts';
import { join, match, newPhone } from './support/phones.ts';
import { addPhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';

const shot = (name: string) => (process.env.SHOTS ? `${process.env.SHOTS}/moments-${name}.png` : undefined);

/** The size in the header of a PNG file. */
function sizeOf(file: string): number[] {
  const png = readFileSync(file);
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

test('a member shares a match without naming the other, who then agrees to be named, and every share counts once', async ({
  browser,
  ownServer: server,
}) => {
  const [a, b] = [await newPhone(browser, server.url), await newPhone(browser, server.url)];
  const ann = await join(a, server, 'Ann Sharing');
  const ben = await join(b, server, 'Ben Shown');
  await addPhoto(b, readFileSync(portraitFile));
  await a.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await a.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/shareable-moments');
  await expect(page.getByRole('heading', { name: 'No moments yet' })).toBeVisible();
  await expectAccessibleInEveryTheme(page, 'empty');
  expect(await findLayoutFaults(page)).toEqual([]);
  await page.screenshot({ path: shot('empty'), fullPage: true });
  await page.getByRole('button', { name: 'Create Your First Moment' }).click();
  await page.getByRole('button', { name: 'Referral Win' }).click();
  await expect(page.getByText('No friend has completed their profile')).toBeVisible();
  await page.keyboard.press('Escape');

  // Made by the match, over the socket; the dialog of the match is closed first.
  await match(a, ann, b, ben);
  const celebration = page.getByRole('dialog', { name: "It's a Match!" });
  await expect(celebration).toBeVisible();
  await page.keyboard.press('Escape');
  const moment = page.getByRole('article', { name: 'New match' });
  await expect(moment).toContainText('Shared 0 times');
  const picture = moment.getByRole('img', { name: 'Picture: Ann met someone' });
  await expect(picture).toHaveJSProperty('naturalWidth', 1200);
  await expect(picture).toHaveJSProperty('naturalHeight', 630);
  // The stored picture is private.
  const stored = async () =>
    (
      (await (await a.request.get('/api/moments')).json()) as {
        momentType: string;
        imageUrl: string | null;
      }[]
    ).find(({ momentType }) => momentType === 'match')?.imageUrl;
  await expect.poll(stored).toBeTruthy();
  expect((await a.request.get((await stored()) ?? '')).status()).toBe(200);
  expect((await b.request.get((await stored()) ?? '')).status()).toBe(404);

  await moment.getByRole('button', { name: 'Edit caption' }).click();
  await page.getByRole('textbox', { name: 'Caption' }).fill('Slow mornings, for two.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(moment).toContainText('Slow mornings, for two.');

  for (const [button, size] of [
    ['Tall picture', [1080, 1920]],
    ['Wide picture', [1200, 630]],
  ] as const) {
    const download = page.waitForEvent('download');
    await moment.getByRole('button', { name: button }).click();
    expect(sizeOf(await (await download).path())).toEqual(size);
  }
  await expect(moment).toContainText('Shared 0 times');

  // By keyboard, and offline too.
  await moment.getByRole('button', { name: 'Stories' }).focus();
  await page.keyboard.press('Enter');
  await expect(moment).toContainText('Shared once');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Slow mornings, for two.');
  await a.setOffline(true);
  await moment.getByRole('button', { name: /^Copy/ }).click();
  await expect(moment).toContainText('Shared 2 times');
  await a.setOffline(false);
  const counted = async () =>
    (
      (await (await a.request.get('/api/moments')).json()) as { momentType: string; shareCount: number }[]
    ).find(({ momentType }) => momentType === 'match')?.shareCount;
  await expect.poll(counted).toBe(2);
  await expect(moment).toContainText('Shared 2 times');
  const twitter = await moment.getByRole('link', { name: /^Twitter/ }).getAttribute('href');
  expect(new URL(twitter ?? '').searchParams.get('text')).toBe('Slow mornings, for two.');

  // With a share sheet, which this browser lacks.
  await page.evaluate(() => Object.assign(navigator, { canShare: () => true, share: async () => undefined }));
  await moment.getByRole('button', { name: 'Wide picture' }).click();
  await expect(moment).toContainText('Shared 3 times');
  await expect.poll(counted).toBe(3);

  await moment.getByRole('button', { name: 'Ask Ben to be named' }).click();
  await expect(moment).toContainText('You asked Ben.');
  const other = await b.newPage();
  await other.emulateMedia({ reducedMotion: 'reduce' });
  await other.goto('/shareable-moments');
  const request = other.getByRole('region', { name: 'Ann asks' });
  await expect(request).toContainText('What was shared cannot be taken back.');
  await expectAccessibleInEveryTheme(other, 'request');
  expect(await findLayoutFaults(other)).toEqual([]);
  await other.screenshot({ path: shot('request'), fullPage: true });
  await request.getByRole('button', { name: 'Allow' }).click();
  await expect(other.getByRole('region', { name: 'Ann may name you' })).toBeVisible();
  await expect(moment.getByRole('img', { name: 'Picture: Ann & Ben' })).toBeVisible();
  await expect(moment.locator('img'), 'no photo of the other member').toHaveCount(1);
  await expect(moment.locator('img[src*="/files/"]')).toHaveCount(0);
  await expectAccessibleInEveryTheme(page, 'shown');
  expect(await findLayoutFaults(page)).toEqual([]);
  await page.screenshot({ path: shot('shown'), fullPage: true });

  await other.getByRole('button', { name: 'Take it back' }).click();
  await expect(moment.getByRole('img', { name: 'Picture: Ann met someone' })).toBeVisible();
  await moment.getByRole('button', { name: 'Delete moment' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(moment).toBeHidden();
});
