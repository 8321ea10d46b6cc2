import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessibleInEveryTheme, findSeriousViolations } from './support/axe.ts';
import { portraitFile } from './support/editor.ts';
import { findLayoutFaults } from './support/layout.ts';
import { join, newEmail } from './support/phones.ts';
import { addPhoto } from './support/photos.ts';
import { fillSignUp } from './support/start.ts';
import { expect, test } from './support/test.ts';

const shot = (name: string) => (process.env.SHOTS ? `${process.env.SHOTS}/referrals-${name}.png` : undefined);

/** The value of the counter or figure with this label. */
const figure = (page: Page, label: string) =>
  page.locator('dl > div', { has: page.getByText(label, { exact: true }) }).getByRole('definition');

const recent = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });

async function expectUsable(page: Page, state: string): Promise<void> {
  await expectAccessibleInEveryTheme(page, state);
  expect.soft(await findLayoutFaults(page), state).toEqual([]);
  await page.screenshot({ path: shot(state), fullPage: true });
}

async function completeProfile(phone: BrowserContext): Promise<void> {
  const data = {
    loveReflection: 'Home',
    occupation: 'Cook',
    education: 'masters',
    hasChildren: false,
    intentionTags: ['Healing'],
    wantsChildren: true,
  };
  const completed = await phone.request.patch('/api/users/me', { data });
  expect(completed.status(), await completed.text()).toBe(200);
}

test('a member invites a friend by mail; the friend joins, both get Premium, and one chooses a theme that the other sees', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const host = await join(phoneA, server, 'Hana Secretsurname');
  await addPhoto(phoneA, readFileSync(portraitFile));
  const page = await phoneA.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/referrals');
  await expect(page.getByText("Cupid's Helper")).toBeVisible();

  const code = page.getByRole('button', { name: 'QR code' });
  await code.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Your link as a QR code' });
  await expect(dialog.getByRole('img', { name: /^QR code of http.*\?ref=[A-Z0-9]{8}$/ })).toBeVisible();
  await expectUsable(page, 'qr');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('heartward-invitation.svg');
  expect(readFileSync(await file.path(), 'utf8')).toMatch(/^<svg .*<\/svg>$/);
  await page.keyboard.press('Escape');
  await expect(code).toBeFocused();

  const friendsEmail = newEmail('Gwen Guest');
  const field = page.getByRole('textbox', { name: "Your friend's email address" });
  await field.fill(host.email);
  await page.keyboard.press('Enter');
  await expect(page.getByText("This is your own address. Please enter a friend's.")).toBeVisible();
  await field.fill(friendsEmail);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Thank you. If we may write to this address')).toBeVisible();
  await expect(recent(page, 'Invitation sent')).toContainText(friendsEmail);
  await expect(figure(page, 'Pending')).toHaveText('1');
  await expectUsable(page, 'invited');
  await field.fill(` ${friendsEmail.toUpperCase()}`);
  await page.keyboard.press('Enter');
  await expect(page.getByText('You have invited this address already.')).toBeVisible();

  const mail = await server.mail(friendsEmail, 'Hana invites you to Heartward');
  expect(`${mail.text} ${mail.html}`).not.toContain('Secretsurname');
  const guest = await phoneB.newPage();
  await guest.emulateMedia({ reducedMotion: 'reduce' });
  // The mail has the public address, which is not the one of this test.
  await guest.goto(/\/\?ref=\w{12}/.exec(mail.text)?.[0] ?? '');
  await expect(guest, 'the code is removed from the address').toHaveURL(`${server.url}/`);
  await guest.close();

  // In another tab, as in an app that was installed meanwhile.
  const tab = await phoneB.newPage();
  await tab.emulateMedia({ reducedMotion: 'reduce' });
  await tab.goto('/signup');
  await fillSignUp(tab, server, 'Gwen Guest', friendsEmail);
  await expect(tab.getByText('Your profile has been created successfully.')).toBeVisible();
  await page.reload();
  await expect(recent(page, 'Friend joined!')).toContainText('Pending');
  await expect(page.getByText(friendsEmail), 'the address is erased').toHaveCount(0);

  await completeProfile(phoneB);
  await page.reload();
  await expect(recent(page, 'Friend joined!')).toContainText('Completed');
  await expect(figure(page, 'Successful')).toHaveText('1');
  await expect(page.getByText(/^You have Premium until/)).toBeVisible();
  await tab.goto('/profile');
  await expect(tab.getByText('Premium', { exact: true })).toBeVisible();

  await page.goto('/perks');
  await expect(page.getByText(/^Thank you. Your Premium lasts until/)).toBeVisible();
  await page.getByRole('radio', { name: 'Meadow' }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('radio', { name: 'Meadow' })).toBeChecked();
  await expect(page.getByRole('radio', { name: /^Starlight/ })).toBeDisabled();
  await expectUsable(page, 'perks');
  const themed = tab.locator('[data-profile-theme="meadow"]');
  await tab.goto(`/profile/${host.id}`);
  await expect(themed.getByText('Premium', { exact: true })).toBeVisible();
  await expectUsable(tab, 'themed');

  const hidden = await phoneA.request.patch('/api/users/me', { data: { hidePremium: true } });
  expect(hidden.status(), await hidden.text()).toBe(200);
  await tab.reload();
  await expect(themed).toBeVisible();
  await expect(tab.getByText('Premium', { exact: true })).toHaveCount(0);
  await server.query(`UPDATE users SET premium_until = now() WHERE id = $1`, [host.id]);
  await tab.reload();
  await expect(tab.getByRole('region', { name: 'At a glance' })).toBeVisible();
  await expect(themed, 'the theme ends with Premium').toHaveCount(0);

  // Without a session, as in the browser of a mail program.
  const stranger = newEmail('Not Interested');
  const invited = await phoneA.request.post(`/api/referrals/invite/${host.id}`, {
    data: { clientId: crypto.randomUUID(), email: stranger },
  });
  expect(invited.status(), await invited.text()).toBe(201);
  const second = await server.mail(stranger, 'Hana invites you to Heartward');
  await tab.goto(/from anyone:\s+\S+?(\/api\S+)/.exec(second.text)?.[1] ?? '');
  await expect(tab.getByRole('heading', { name: 'No more invitations?' })).toBeVisible();
  expect(await findSeriousViolations(tab)).toEqual([]);
  await tab.getByRole('button', { name: 'Send me no invitations' }).click();
  await expect(tab.getByRole('heading', { name: 'No more invitations', exact: true })).toBeVisible();
});

test('a friend types the code that a member reads out, signs up, completes the profile, and both get Premium', async ({
  phoneA,
  phoneB,
  server,
}) => {
  await join(phoneA, server, 'Rita Referrer');
  const page = await phoneA.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/referrals');
  const code = (await page.getByText('Or tell a friend your code:').getByRole('strong').textContent()) ?? '';
  expect(code).toMatch(/^[A-Z0-9]{4} [A-Z0-9]{4}$/);

  const tab = await phoneB.newPage();
  await tab.emulateMedia({ reducedMotion: 'reduce' });
  await tab.goto('/signup');
  const field = tab.getByRole('textbox', { name: /^Invitation code/ });
  await expect(field, 'it is folded').toBeHidden();
  await tab.getByText('I have an invitation code').click();
  await field.fill(code.slice(0, 6).toLowerCase());
  await expect(tab.getByText('That is not a whole code yet')).toBeVisible();
  await expect(tab.getByRole('button', { name: 'Create My Profile' })).toBeEnabled();
  await field.fill(code.toLowerCase());
  await expect(tab.getByText('you and your friend both get a week of Premium')).toBeVisible();
  await expectUsable(tab, 'sign-up-code');
  await tab.close();

  // In another tab, as in an app that was installed meanwhile.
  const app = await phoneB.newPage();
  await app.goto('/signup');
  await expect(app.getByRole('textbox', { name: /^Invitation code/ })).toHaveValue(code.replace(' ', ''));
  await fillSignUp(app, server, 'Fred Friend', newEmail('Fred Friend'));
  await expect(app.getByText('Your profile has been created successfully.')).toBeVisible();
  await page.reload();
  await expect(recent(page, 'Friend joined!')).toContainText('Pending');
  await expect(page.getByText('Fred')).toHaveCount(0);
  await completeProfile(phoneB);
  await page.reload();
  await expect(recent(page, 'Friend joined!')).toContainText('Completed');
  await expect(page.getByText(/^You have Premium until/)).toBeVisible();
  await app.goto('/profile');
  await expect(app.getByText('Premium', { exact: true })).toBeVisible();
});
