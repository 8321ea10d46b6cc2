import { readFileSync } from 'node:fs';
import path from 'node:path';
import { join, newPhone } from './support/phones.ts';
import { expect, test } from './support/test.ts';

test('a member whose screen breaks reads an id that the operator finds in the log, and goes on after a reload', async ({
  browser,
  server,
}) => {
  const phone = await newPhone(browser, server.url);
  await join(phone, server, 'Ana Lima');
  const page = await phone.newPage();
  await page.route('**/assets/BadgesRoute-*.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'export default function Broken() { throw new RangeError("Ana wrote this"); }',
    }),
  );
  await page.goto('/badges');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('This page could not be shown');
  await expect(page).toHaveTitle('This page could not be shown · Heartward');
  const id = await alert.locator('strong').textContent();
  expect(id).toMatch(/^[0-9A-Z]{8}$/);

  const line = () =>
    readFileSync(path.join(server.dataDir, 'server.log'), 'utf8')
      .split('\n')
      .find((text) => text.includes(`id=${id}`));
  await expect
    .poll(line)
    .toMatch(/level=ERROR msg="a screen of the app failed" .*error=RangeError route=\/badges /);
  expect(line()).toMatch(/ stack="BadgesRoute-[\w-]+\.js:1:\d+ /);
  expect(line()).not.toContain('Ana');

  await page.unroute('**/assets/BadgesRoute-*.js');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Badges');
  await phone.close();
});
