import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { findSeriousViolations } from './support/axe.ts';
import { addPeople } from './support/people.ts';
import { join } from './support/phones.ts';
import type { Mail, Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

/** Starts a run of the digest, of a week some weeks ago that only this test uses, for a member with a new match. */
async function sendDigest(
  server: Server,
  weeksAgo: number,
  member: { id: string },
  name: string,
): Promise<void> {
  await server.query(`UPDATE users SET created_at = now() - interval '2 days' WHERE id = $1`, [member.id]);
  const [peer] = await addPeople(server, name);
  await server.query(
    `INSERT INTO matches (id, user_a, user_b) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3))`,
    [randomUUID(), member.id, peer?.id],
  );
  const week = `date_trunc('week', now())::date - 7 * ${weeksAgo}`;
  await server.query(`INSERT INTO digest_runs (week) VALUES (${week})`);
  await server.query(
    `INSERT INTO river_job (kind, args, max_attempts)
     VALUES ('enqueue_digests', jsonb_build_object('week', ${week}), 5)`,
  );
}

test('a member wants neither names nor a telling subject in mails', async ({ phoneA, server }) => {
  const ann = await join(phoneA, server, 'Ann Quietmail');
  const page = await phoneA.newPage();
  await page.goto('/settings?tab=notifications#email');
  await page.getByRole('switch', { name: /^No names or texts in emails/ }).check();
  await page.getByRole('switch', { name: /^Discreet sender and subject/ }).check();
  await expect
    .poll(async () => (await phoneA.request.get('/api/notifications/settings')).json())
    .toMatchObject({ privateMail: true, discreetMail: true });
  expect(await findSeriousViolations(page)).toEqual([]);

  await sendDigest(server, 2, ann, 'Ben Nameless');
  const mail = await server.mail(ann.email, 'Your week');
  expect(mail.subject).toBe('Your week');
  expect(mail.from).toBe('Account mail');
  expect(mail.text).toContain('1 new match');
  expect(mail.text + mail.html).not.toMatch(/Ben|Ann/);
});

/** Opens the HTML part of a mail as a mail program with a window of a width does, and checks that it fits and is legible. */
async function read(page: Page, mail: Mail, width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
  await page.setContent(mail.html);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  expect(await findSeriousViolations(page)).toEqual([]);
  if (!process.env.SHOTS) return;
  const name = mail.subject.replace(/\W+/g, '-').replace(/\d{8}/, 'code');
  await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true });
}

test('mails are legible on a phone and a desk, in light and dark, without pictures', async ({
  browser,
  phoneA,
  phoneB,
  server,
}) => {
  const longName = 'Maximiliane-Konstantinopolitanische';
  const ann = await join(phoneA, server, `${longName} Reader`);
  const code = await server.mail(ann.email, 'code');
  await sendDigest(server, 3, ann, 'Benedikt-Alexander Writer');
  const digest = await server.mail(ann.email, 'Your week on Heartward');
  expect(digest.text).toContain('Benedikt-Alexander');
  const laptop = await phoneB.newPage();
  await laptop.request.post('/api/auth/code', { data: { email: ann.email } });
  const signIn = /\d{8}/.exec((await server.mail(ann.email, 'code')).subject)?.[0];
  const signedIn = await laptop.request.post('/api/auth/login', { data: { email: ann.email, code: signIn } });
  expect(signedIn.status()).toBe(200);
  const notice = await server.mail(ann.email, 'sign-in');

  const page = await browser.newPage();
  for (const mail of [code, digest, notice]) {
    expect(mail.html).not.toMatch(/<img|url\(/);
    for (const width of [320, 600, 1280]) {
      for (const scheme of ['light', 'dark'] as const) await read(page, mail, width, scheme);
    }
  }
  await page.close();
});

test('the demo mailbox lists mails, finds words and shows both parts', async ({ phoneA, server }) => {
  const ann = await join(phoneA, server, 'Ann Postbox');
  const page = await phoneA.newPage();
  await page.goto(server.mailbox() ?? '');
  await page.getByLabel('Search').fill(ann.email);
  await page.getByRole('button', { name: 'Show' }).click();
  const row = page.locator('summary').first();
  await expect(row).toContainText(`to ${ann.email}`);
  await row.click();
  const letter = page.frameLocator('iframe').first();
  await expect(letter.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByText('Text part').first().click();
  await expect(page.locator('pre').first()).toContainText('With love,');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    page.viewportSize()?.width ?? 0,
  );
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/mailbox.png`, fullPage: true });
  await page.getByLabel('Search').fill('no mail has these words');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByText('No mail was found.')).toBeVisible();
});
