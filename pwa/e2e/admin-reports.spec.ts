import { readFileSync } from 'node:fs';
import { expectUsable, joinAsAdmin } from './support/admin.ts';
import { portraitFile } from './support/editor.ts';
import { join, match, newPhone, openConversation, sendMessage } from './support/phones.ts';
import { addPhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';

test('an admin opens an urgent report with a reason, suspends by keys, and both members learn the outcome', async ({
  browser,
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Report');
  const ben = await join(phoneB, server, 'Ben Threat');
  await match(phoneA, ann, phoneB, ben);
  await sendMessage(await openConversation(phoneB, ann), 'I will wait at your door.');
  await expect
    .poll(() => server.query('SELECT FROM messages WHERE sender_id = $1', [ben.id]), {
      message: 'the evidence contains stored messages only',
    })
    .toHaveLength(1);
  const { computer, admin } = await joinAsAdmin(browser, server, 'Mo Deren');
  const report = { userId: ben.id, reason: 'threat', description: 'He frightens me.', place: 'conversation' };
  expect((await phoneA.request.post('/api/reports', { data: report })).status()).toBe(201);
  expect((await computer.request.get(`/api/users/${ben.id}`)).status(), 'hidden at once').toBe(404);

  const page = await computer.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/settings');
  await page.getByRole('link', { name: 'Admin dashboard' }).click();
  await page.getByRole('link', { name: 'Reports' }).click();
  await expect(page).toHaveTitle('Reports · Admin · Heartward');
  const row = page.getByRole('link', { name: /Threat.*Ben Threat/ });
  await expect(row).toContainText('Not opened yet');
  await expect(page.getByText('He frightens me.'), 'the list has no contents').toBeHidden();
  await expectUsable(page, 'list');

  await page.keyboard.press('j');
  await expect(row).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/dashboard\/reports\/[\w-]+$/);
  const why = page.getByRole('textbox', { name: 'Why do you open it?' });
  await expect(why).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Please say why you open it.');
  await why.fill('An urgent report');
  await page.keyboard.press('Enter');
  await expect(page.getByText('He frightens me.')).toBeVisible();
  await expect(page.getByText('I will wait at your door.')).toBeVisible();
  await expect(row).toContainText('Opened');

  await page.keyboard.press('3');
  await expect(page.getByRole('radio', { name: /^Suspend/ })).toBeChecked();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Please explain the decision to the member.')).toBeVisible();
  await expectUsable(page, 'opened');
  await page.getByLabel('Explanation').fill('You threatened a member.');
  await page.getByRole('textbox', { name: 'Reason' }).fill('Clear threat in the messages');
  await page.keyboard.press('Control+Enter');
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await expect(outcome).toContainText('Suspension until');
  await expect(page.getByText('Report updated successfully')).toBeVisible();
  await expect(outcome.getByRole('link', { name: 'Back to the list' })).toBeFocused();
  await expectUsable(page, 'outcome');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'No open reports' })).toBeVisible();
  await expectUsable(page, 'empty');
  await page.getByLabel('Status').selectOption('With a suspension (1)');
  await page.getByRole('link', { name: /Threat.*Ben Threat/ }).click();
  await page.getByRole('textbox', { name: 'Why do you open it?' }).press('Enter');
  await expect(page.getByText('You threatened a member.'), 'the outcome stays visible').toBeVisible();

  expect((await phoneB.request.get('/api/auth/user')).status(), 'signed out').toBe(401);
  expect((await server.mail(ann.email, 'About your report')).text).toContain(
    'You were right to tell us: we have taken action.',
  );
  expect((await server.mail(ben.email, 'A decision')).text).toContain('You threatened a member.');
  const audited = await server.query<{ action: string; reason: string }>(
    'SELECT action, reason FROM audit_log WHERE admin_id = $1 ORDER BY id',
    [admin.id],
  );
  expect(audited).toEqual([
    { action: 'report.open', reason: 'An urgent report' },
    { action: 'report.suspend', reason: 'Clear threat in the messages' },
    { action: 'report.open', reason: 'An urgent report' },
  ]);
  await computer.close();
});

test('a member who opens the dashboard finds no page, and an admin without a connection reads why', async ({
  browser,
  phoneA,
  server,
}) => {
  await join(phoneA, server, 'Ann Member');
  const phone = await phoneA.newPage();
  await phone.goto('/admin/dashboard');
  await expect(phone.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();

  const { computer } = await joinAsAdmin(browser, server, 'Mo Offline');
  const page = await computer.newPage();
  await page.goto('/admin/dashboard/nothing');
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  await page.route('**/api/admin/reports*', (route) => route.abort());
  await page.goto('/admin/dashboard/reports');
  await expect(page.getByRole('heading', { name: 'The list could not be loaded' })).toBeVisible();
  // Before the connection is lost: once it is back the list loads by itself, and the button goes while it is clicked.
  await page.unroute('**/api/admin/reports*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('The list could not be loaded')).toBeHidden();
  await computer.setOffline(true);
  await expect(page.getByText('no decision is sent')).toBeVisible();
  await expect(page.getByText('You can read and write')).toBeHidden();
  await expectUsable(page, 'offline');
  await computer.setOffline(false);
  await expect(page.getByText('no decision is sent')).toBeHidden();

  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await keys.getByRole('switch', { name: /Use single keys/ }).uncheck();
  await keys.getByRole('button', { name: 'Close' }).last().click();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await computer.close();
});

test('a moderator decides a report without a ban, and finds no list of members and no settings', async ({
  browser,
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Reporter');
  const ben = await join(phoneB, server, 'Ben Rude');
  await match(phoneA, ann, phoneB, ben);
  const report = { userId: ben.id, reason: 'harassment', description: 'He is rude.', place: 'conversation' };
  expect((await phoneA.request.post('/api/reports', { data: report })).status()).toBe(201);
  const { computer, admin } = await joinAsAdmin(browser, server, 'Mo Miller');
  await server.query('UPDATE users SET is_admin = false, is_moderator = true WHERE id = $1', [admin.id]);

  const page = await computer.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/admin/dashboard');
  await expect(page).toHaveURL(/\/admin\/dashboard\/queue$/);
  const tabs = page.getByRole('navigation', { name: 'Admin' }).getByRole('link');
  await expect(tabs).toHaveText([
    /^Queue/,
    'Reports',
    'Messages',
    'Verifications',
    'Profiles',
    'Graduations',
    'Community',
  ]);
  await page.getByRole('link', { name: 'Reports', exact: true }).click();
  await page.getByRole('link', { name: /Harassment.*Ben Rude/ }).click();
  await page.getByRole('textbox', { name: 'Why do you open it?' }).fill('The queue');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('radio', { name: /^(No action|Warn|Suspend|Ban)/ })).toHaveCount(3);
  await page.getByRole('radio', { name: /^Suspend/ }).check();
  await expect(page.getByLabel('For', { exact: true }).getByRole('option')).toHaveText([
    '1 day',
    '3 days',
    '7 days',
    '30 days',
  ]);
  await page.getByRole('radio', { name: /^Warn/ }).check();
  await page.getByLabel('Explanation').fill('Please be kind.');
  await page.getByRole('textbox', { name: 'Reason' }).fill('Rude words');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Outcome' })).toBeVisible();

  await page.getByRole('link', { name: /^Ben Rude, / }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/dashboard/users/${ben.id}$`));
  await expect(page.getByText('Please be kind.')).toBeVisible();
  await expect(page.getByRole('radio')).toHaveCount(2);
  await expectUsable(page, 'moderator');
  for (const tab of ['users', 'audit', 'settings']) {
    await page.goto(`/admin/dashboard/${tab}`);
    await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  }
  await computer.close();
});

test('an admin dismisses reports that were read at once, and each of them is in the audit log', async ({
  browser,
  ownServer: server,
}) => {
  const { computer } = await joinAsAdmin(browser, server, 'Mo Bulk');
  const [phone, other] = [await newPhone(browser, server.url), await newPhone(browser, server.url)];
  await join(phone, server, 'Ann Reporter');
  for (const name of ['Ben Fine', 'Cid Fine', 'Dan Unread']) {
    const { id } = await join(other, server, name);
    const data = { userId: id, reason: 'spam', place: 'card' };
    expect((await phone.request.post('/api/reports', { data })).status()).toBe(201);
  }
  const page = await computer.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/admin/dashboard/reports');
  const list = page.getByRole('list', { name: 'Open' });
  const row = (name: string) => list.getByRole('link', { name: new RegExp(name) });
  const box = (name: string) => list.getByRole('checkbox', { name: new RegExp(name) });
  await expect(box('Dan Unread')).toBeDisabled();
  for (const name of ['Ben Fine', 'Cid Fine']) {
    await row(name).click();
    await page.getByRole('textbox', { name: 'Why do you open it?' }).fill('Spam');
    await page.keyboard.press('Enter');
    await expect(row(name)).toContainText('Opened');
    await box(name).check();
  }
  await expect(page.getByText('2 reports selected')).toBeVisible();
  await expectUsable(page, 'reports-selected');
  // Another moderator decides one of them meanwhile.
  await server.query(
    `UPDATE reports SET status = 'reviewed', action_taken = 'warn', reviewed_at = now()
     WHERE reported_user_id = (SELECT id FROM users WHERE full_name = 'Cid Fine')`,
  );
  await page.getByRole('button', { name: 'Dismiss' }).click();
  const question = page.getByRole('dialog', { name: 'Dismiss 2 reports?' });
  await question.getByRole('textbox', { name: 'Reason' }).press('Enter');
  await expect(question.getByText('Please give a reason.')).toBeVisible();
  await question.getByRole('textbox', { name: 'Reason' }).fill('Nothing found');
  await question.getByRole('textbox', { name: 'Reason' }).press('Enter');
  await expect(page.getByText('Dismissed 1 of 2 reports')).toBeVisible();
  await expect(page.getByText(/^Cid Fine, 31, Portland: /)).toBeVisible();
  await expect(row('Ben Fine')).toHaveCount(0);
  await expect(row('Dan Unread')).toBeVisible();
  expect(
    await server.query(`SELECT reason FROM audit_log WHERE action LIKE 'report.%' AND reason <> 'Spam'`),
  ).toEqual([{ reason: 'Nothing found' }]);
  for (const phoneOrComputer of [phone, other, computer]) await phoneOrComputer.close();
});

test('an admin sees the photo of a reported profile that its member has deleted since', async ({
  browser,
  phoneA,
  phoneB,
  server,
}) => {
  await join(phoneA, server, 'Ann Witness');
  const ben = await join(phoneB, server, 'Ben Picture');
  const photo = await addPhoto(phoneB, readFileSync(portraitFile));
  const data = { userId: ben.id, reason: 'inappropriate', place: 'card' };
  expect((await phoneA.request.post('/api/reports', { data })).status()).toBe(201);
  expect((await phoneB.request.delete(`/api/users/me/photos/${photo}`)).status()).toBeLessThan(300);
  expect((await phoneB.request.get(`/files/${photo}/full.webp`)).status()).toBe(404);

  const { computer } = await joinAsAdmin(browser, server, 'Mo Evidence');
  const page = await computer.newPage();
  await page.goto('/admin/dashboard/reports');
  await page.getByRole('link', { name: /Ben Picture/ }).click();
  await page.getByRole('textbox', { name: 'Why do you open it?' }).fill('The report');
  await page.keyboard.press('Enter');
  const evidence = page.getByRole('img', { name: 'Photo' });
  await expect(page.getByText('Pictures and recordings of the profile')).toBeVisible();
  await expect(evidence, 'not before it is asked for').toHaveCount(0);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect
    .poll(() => evidence.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Photo: show clearly' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Photo: blur' })).toBeFocused();
  const [seen] = await server.query(
    `SELECT count(*)::int AS times FROM audit_log WHERE action = 'report.file'`,
  );
  expect(seen?.times).toBeGreaterThan(0);
  await computer.close();
});
