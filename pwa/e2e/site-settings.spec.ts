import { expectUsable, joinAsAdmin } from './support/admin.ts';
import { newPhone } from './support/phones.ts';
import { expect, test } from './support/test.ts';

test('an admin chooses the other landing page and changes a limit, and visitors see it at once', async ({
  browser,
  server,
}) => {
  const visitor = await newPhone(browser, server.url);
  const landing = await visitor.newPage();
  await landing.goto('/');
  await expect(landing.getByRole('heading', { level: 1 })).toHaveText(
    'Slow down. Someone worth meeting is here.',
  );

  const { computer } = await joinAsAdmin(browser, server, 'Mo Setter');
  const page = await computer.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/admin/dashboard/settings');
  await page.getByLabel('Landing page').selectOption('Find Your Soul Connection');
  await page.getByLabel('Files a day').fill('61');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Please enter a number from 10 to 60.')).toBeVisible();
  await expect(page.getByText('Please say why, for the audit log.')).toBeVisible();
  await expectUsable(page, 'site-settings');
  await page.getByLabel('Files a day').fill('40');
  await page.getByLabel('Why do you change it?').fill('To compare the two');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Settings updated successfully')).toBeVisible();
  await expect(page.getByLabel('Files a day')).toHaveValue('40');

  await landing.goto('/');
  await expect(landing.getByRole('heading', { level: 1 })).toHaveText('Find Your Soul Connection');
  await expect(landing.getByRole('link', { name: "Join Our Community - It's Free!" })).toBeVisible();
  if (process.env.SHOTS) await landing.screenshot({ path: `${process.env.SHOTS}/landing-b.png` });

  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByLabel('Area').selectOption('Settings');
  await expect(page.getByRole('row', { name: /settings\.site/ })).toContainText('To compare the two');
  await computer.close();
  await visitor.close();
});
