import { readFile } from 'node:fs/promises';
import { ageCodes, codeFor, nextCode, openConversation, pair, sendMessage } from './support/phones.ts';
import { expect, test } from './support/test.ts';
import { unzip } from './support/unzip.ts';

test('a member asks for the own data, downloads it once, and finds the own words and nothing private of others', async ({
  browser,
  server,
}) => {
  const { a, b, ann, ben } = await pair(browser, server, { workerOn: 'neither' });
  const annPage = await openConversation(a, ben);
  await sendMessage(annPage, 'Words of Ann for the file');
  const benPage = await openConversation(b, ann);
  await sendMessage(benPage, 'Words of Ben for the file');
  await b.request.patch('/api/users/me', { data: { religion: 'buddhist', hideReadReceipts: true } });

  await server.query("UPDATE sessions SET proved_at = now() - interval '20 minutes' WHERE user_id = $1", [
    ann.id,
  ]);
  await ageCodes(server, ann.email);
  const signUpCode = await codeFor(server, ann.email);
  const page = await a.newPage();
  await page.goto('/profile?tab=settings');
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Your data' }) });
  await expect(section.getByText('Get a file with everything')).toBeVisible();
  await a.setOffline(true);
  await expect(section.getByText('Asking for your data needs a connection.')).toBeVisible();
  await expect(section.getByRole('button', { name: 'Ask for my data' })).toBeDisabled();
  await a.setOffline(false);
  await section.getByRole('button', { name: 'Ask for my data' }).click();
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await page.getByLabel('Code from your email').fill(await nextCode(server, ann.email, signUpCode));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(section.getByText('Your file is ready')).toBeVisible();
  expect((await server.mail(ann.email, 'data is ready')).text).toContain('/profile?tab=settings');
  await section.scrollIntoViewIfNeeded();
  await page.screenshot({ path: test.info().outputPath('ready.png') });

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    section.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^heartward-\d{4}-\d{2}-\d{2}\.zip$/);
  const files = unzip(await readFile(await download.path()));
  expect([...files.keys()]).toEqual(
    expect.arrayContaining(['README.txt', 'profile/profile.json', 'matching/matches.json']),
  );
  const all = [...files.values()].map((content) => content.toString('utf8')).join('\n');
  expect(all).toContain('Words of Ann for the file');
  expect(all).toContain('Words of Ben for the file');
  expect(all).toContain(ann.email);
  for (const hidden of [ben.email, 'buddhist', 'password_hash', 'token_hash'])
    expect(all).not.toContain(hidden);
  await expect(section.getByText('You downloaded your file on')).toBeVisible();
  await expect(section.getByRole('button', { name: 'Ask for my data' })).toBeVisible();
});
