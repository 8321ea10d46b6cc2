import { type BrowserContext, expect as expectOnce } from '@playwright/test';
import { findSeriousViolations } from './support/axe.ts';
import { MailServer } from './support/mailServer.ts';
import { newEmail, newPhone } from './support/phones.ts';
import { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

/** Asks for a code for the address and returns the one that the mail server got. */
async function codeByMail(phone: BrowserContext, mails: MailServer, email: string): Promise<string> {
  const before = mails.mails.length;
  expectOnce((await phone.request.post('/api/auth/code', { data: { email } })).status()).toBe(202);
  const mail = mails.mails.slice(before).find(({ to }) => to === email);
  return /\b\d{8}\b/.exec(/^Subject: .*$/m.exec(mail?.raw ?? '')?.[0] ?? '')?.[0] ?? '';
}

test('a member is told that the mail server refuses the address, has it checked, and the line goes', async ({
  browser,
}) => {
  const mails = await MailServer.start();
  const server = await Server.launch({ SMTP_URL: mails.url });
  const phone = await newPhone(browser, server.url);
  const laptop = await newPhone(browser, server.url);
  try {
    const email = newEmail('Ann Bounced');
    const profile = {
      age: 31,
      city: 'Portland',
      state: 'OR',
      intentionTags: ['Long-term'],
      bio: 'I like mornings.',
    };
    const signUp = { email, fullName: 'Ann Bounced', loveReflection: '', honorCode: true, ...profile };
    const code = await codeByMail(phone, mails, email);
    expect((await phone.request.post('/api/users', { data: { ...signUp, code } })).status()).toBe(201);
    const page = await phone.newPage();
    const opened = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
    await page.goto('/discover');
    await opened;
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const line = page.getByRole('complementary', { name: 'Your email' });
    await expect(line).toHaveCount(0);

    // A sign-in on another device is mailed, and the mail server refuses it.
    const second = await codeByMail(laptop, mails, email);
    mails.refusal = '550 5.1.1 No such mailbox here';
    expect((await laptop.request.post('/api/auth/login', { data: { email, code: second } })).status()).toBe(
      200,
    );
    await expect(line).toContainText(`Our emails don’t reach ${email}.`);
    await expect(line).toContainText('Its mail server says: 550 5.1.1 No such mailbox here');
    expect(await findSeriousViolations(page)).toEqual([]);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/mail-problem.png` });
    await expect(line.getByRole('link', { name: 'Change address' })).toHaveAttribute(
      'href',
      '/profile?tab=settings',
    );

    // Still refused, then accepted.
    const answered = page.waitForResponse('**/api/mail/problem/check');
    await line.getByRole('button', { name: 'Check again' }).click();
    await answered;
    await expect
      .poll(async () => (await phone.request.get('/api/mail/problem')).json(), 'the check has its result')
      .toMatchObject({ problem: { isChecking: false } });
    mails.refusal = '';
    await line.getByRole('button', { name: 'Check again' }).click();
    await expect(line).toHaveCount(0);
    expect(mails.mails.at(-1)).toMatchObject({ to: email });

    // Somebody else mistypes an address: the field says it.
    mails.refusal = '550 5.1.1 No such mailbox here';
    const visitor = await laptop.newPage();
    const refused = await visitor.request.post('/api/auth/code', { data: { email: newEmail('Mis Typed') } });
    expect(refused.status()).toBe(422);
    expect(await refused.text()).toContain("This address doesn't take mail.");
  } finally {
    await phone.close();
    await laptop.close();
    await server.remove();
    await mails.stop();
  }
});
