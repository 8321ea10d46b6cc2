import { readFileSync } from 'node:fs';
import { expectUsable, joinAsAdmin } from './support/admin.ts';
import { portraitFile } from './support/editor.ts';
import { join, newPhone } from './support/phones.ts';
import { addPhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';

test('a new member waits for a moderator, is declined, asks again, and is shown after a decision on several', async ({
  browser,
  ownServer: server,
}) => {
  const { computer } = await joinAsAdmin(browser, server, 'Mo Reviewer');
  const admin = await computer.newPage();
  await admin.emulateMedia({ reducedMotion: 'reduce' });
  await admin.goto('/admin/dashboard/settings');
  await admin.getByRole('switch', { name: /^Review new profiles/ }).check();
  await admin.getByLabel('Why do you change it?').fill('Many spam profiles');
  await admin.getByRole('button', { name: 'Save settings' }).click();
  await expect(admin.getByText('Settings updated successfully')).toBeVisible();

  const phone = await newPhone(browser, server.url);
  const ada = await join(phone, server, 'Ada Waiting');
  const others = await newPhone(browser, server.url);
  await join(others, server, 'Ben Waiting');
  await addPhoto(phone, readFileSync(portraitFile));
  const shown = () => computer.request.get(`/api/users/${ada.id}`).then((response) => response.status());
  expect(await shown()).toBe(404);
  const page = await phone.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  const banner = page.getByRole('complementary', { name: 'Your profile' });
  await expect(banner).toContainText('A moderator looks at your profile before others see it.');
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/review-for-you.png` });
  await banner.getByRole('link', { name: 'Your profile' }).click();
  await expect(page.getByRole('region', { name: 'We’re looking at your profile' })).toBeVisible();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/review-waiting.png` });

  await admin.getByRole('link', { name: 'Profiles' }).click();
  const list = admin.getByRole('list', { name: 'Waiting profiles' });
  const row = (name: string) => list.getByRole('link', { name: new RegExp(name) });
  await expect(row('Ada Waiting')).toContainText('New profile, not opened yet');
  await expect(admin.getByRole('checkbox', { name: /Ada Waiting/ })).toBeDisabled();
  await expectUsable(admin, 'profiles');
  await admin.keyboard.press('j');
  await admin.keyboard.press('Enter');
  const why = admin.getByRole('textbox', { name: 'Why do you open it?' });
  await why.fill('New profiles');
  await admin.keyboard.press('Enter');
  const photo = admin.getByRole('img', { name: 'Photo 1' });
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await expect(admin.getByText('I am Ada Waiting and I like slow mornings.')).toBeVisible();
  await expectUsable(admin, 'profile');
  await admin.keyboard.press('2');
  await admin.getByRole('textbox', { name: 'Reason' }).fill('Please choose a photo that shows you.');
  await admin.keyboard.press('Control+Enter');
  await expect(admin.getByRole('region', { name: 'Outcome' })).toContainText('Declined');

  // Over the socket, without a reload.
  const declined = page.getByRole('region', { name: 'Your profile isn’t shown yet' });
  await expect(declined).toContainText('Please choose a photo that shows you.');
  expect((await server.mail(ada.email, 'About your profile')).text).toContain('a photo that shows you');
  expect(await shown()).toBe(404);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/review-declined.png` });
  await declined.getByRole('button', { name: 'Ask again' }).click();
  await expect(page.getByRole('region', { name: 'We’re looking at your profile' })).toBeVisible();

  await admin.keyboard.press('Escape');
  for (const name of ['Ben Waiting', 'Ada Waiting']) {
    await row(name).click();
    await why.fill('New profiles');
    await admin.keyboard.press('Enter');
    await expect(row(name)).toContainText('opened by you');
    await admin.keyboard.press('Escape');
    await expect(why).toHaveCount(0);
  }
  await admin.getByRole('checkbox', { name: /Ben Waiting/ }).check();
  await row('Ada Waiting').focus();
  await admin.keyboard.press('x');
  await expect(admin.getByText('2 profiles selected')).toBeVisible();
  await expectUsable(admin, 'profiles-selected');
  await admin.getByRole('button', { name: 'Accept' }).click();
  const question = admin.getByRole('dialog', { name: 'Accept 2 profiles?' });
  await question.getByRole('textbox', { name: 'Reason' }).fill('Fine');
  await question.getByRole('textbox', { name: 'Reason' }).press('Enter');
  await expect(admin.getByText('Accepted 2 profiles')).toBeVisible();
  await expect(admin.getByRole('heading', { name: 'No profiles wait' })).toBeVisible();

  await expect(page.getByRole('region', { name: /looking at your profile/ })).toHaveCount(0);
  expect(await shown()).toBe(200);
  await server.mail(ada.email, 'Your profile is shown now');
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'For You' })).toBeVisible();
  await expect(banner).toHaveCount(0);
  await phone.close();
  await others.close();
  await computer.close();
});

test('others do not see a new first photo before a moderator has, and the member reads why', async ({
  browser,
  ownServer: server,
}) => {
  const { computer } = await joinAsAdmin(browser, server, 'Mo Photo');
  const phone = await newPhone(browser, server.url);
  const ada = await join(phone, server, 'Ada Photo');
  await server.query(
    `UPDATE system_settings SET setting_value = setting_value || '{"profileReview": true}' WHERE setting_key = 'site'`,
  );
  const photo = await addPhoto(phone, readFileSync(portraitFile));
  const photosFor = async (viewer: typeof phone) =>
    ((await (await viewer.request.get(`/api/users/${ada.id}`)).json()) as { photos: unknown[] }).photos
      .length;
  expect(await photosFor(computer)).toBe(0);
  expect((await computer.request.get(`/files/${photo}/thumb.webp`)).status()).toBe(404);
  const page = await phone.newPage();
  await page.goto('/profile');
  await expect(page.getByRole('region', { name: 'We’re looking at your first photo' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Your first photo' })).toBeVisible();

  const admin = await computer.newPage();
  await admin.goto('/admin/dashboard/profiles');
  await admin.getByRole('link', { name: /Ada Photo/ }).click();
  await admin.getByRole('textbox', { name: 'Why do you open it?' }).fill('A new photo');
  await admin.getByRole('button', { name: 'Open profile' }).click();
  await expect(admin.getByRole('img', { name: 'The new first photo' })).toBeVisible();
  await admin.getByText('Accept', { exact: true }).click();
  await admin.getByRole('button', { name: 'Send decision' }).click();
  await expect(admin.getByRole('region', { name: 'Outcome' })).toContainText('Accepted');
  await expect(page.getByRole('region', { name: /your first photo/ })).toHaveCount(0);
  expect(await photosFor(computer)).toBe(1);
  expect((await computer.request.get(`/files/${photo}/thumb.webp`)).status()).toBe(200);
  await phone.close();
  await computer.close();
});
