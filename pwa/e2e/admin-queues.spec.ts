import { expectUsable, joinAsAdmin } from './support/admin.ts';
import { portraitFile } from './support/editor.ts';
import { addPeople } from './support/people.ts';
import { join, match, openConversation, sendMessage } from './support/phones.ts';
import { expect, test } from './support/test.ts';

test('an admin compares a selfie with the photos and approves it by keys', async ({
  browser,
  phoneA,
  server,
}) => {
  const vela = await join(phoneA, server, 'Vela Verify');
  const phone = await phoneA.newPage();
  await phone.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'));
  });
  await phone.goto('/profile');
  await phone.getByRole('button', { name: 'Start', exact: true }).click();
  const sheet = phone.getByRole('dialog', { name: 'Get verified' });
  await sheet.getByRole('button', { name: 'Take a selfie' }).click();
  await sheet.locator('input[type=file]').setInputFiles(portraitFile);
  await sheet.getByRole('button', { name: 'Send selfie' }).click();
  await expect(phone.getByText('Your selfie is being compared')).toBeVisible();

  const { computer } = await joinAsAdmin(browser, server, 'Mo Verifier');
  const page = await computer.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/admin/dashboard/verifications');
  await expect(page.getByRole('link', { name: /Vela Verify/ })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Why do you open it?' }).fill('To compare');
  await page.keyboard.press('Enter');
  const selfie = page.getByRole('img', { name: 'The selfie' });
  await expect
    .poll(() => selfie.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await expectUsable(page, 'selfie');
  await page.keyboard.press('1');
  await expect(page.getByRole('radio', { name: /^Approve/ })).toBeChecked();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Outcome' })).toContainText('Verified');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'No selfies to compare' })).toBeVisible();
  const me = (await (await phoneA.request.get('/api/auth/user')).json()) as {
    id: string;
    isVerified: boolean;
  };
  expect(me).toMatchObject({ id: vela.id, isVerified: true });
  await computer.close();
});

test('an admin reads a flagged message with its context, warns the writer, and dismisses the others at once', async ({
  browser,
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Flag');
  const ben = await join(phoneB, server, 'Ben Flag');
  await match(phoneA, ann, phoneB, ben);
  const pageB = await openConversation(phoneB, ann);
  for (const text of ['Hello Ann.', 'Send me some cake.', 'Or pie.', 'Bye.']) await sendMessage(pageB, text);
  await expect
    .poll(() =>
      server.query("SELECT id FROM messages WHERE content IN ('Send me some cake.', 'Or pie.', 'Bye.')"),
    )
    .toHaveLength(3);
  await server.query(
    `INSERT INTO message_flags (message_id, conversation_id, seq, sender_id, receiver_id, content, category, score, source)
     SELECT id, conversation_id, seq, sender_id, $1, content, 'harassment', 0.8, 'filter'
     FROM messages WHERE content IN ('Send me some cake.', 'Or pie.', 'Bye.')`,
    [ann.id],
  );

  const { computer } = await joinAsAdmin(browser, server, 'Mo Reader');
  const page = await computer.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/admin/dashboard/messages');
  await expect(page.getByRole('region', { name: 'All messages' })).toContainText('Total messages');
  await expectUsable(page, 'messages');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const entry = page.getByRole('article', { name: 'Flagged message' });
  await expect(entry.getByText('Hello Ann.')).toBeHidden();
  await page.getByRole('textbox', { name: 'Why do you open it?' }).fill('The queue');
  await page.keyboard.press('Enter');
  await expect(entry.getByText('Hello Ann.')).toBeVisible();
  await expectUsable(page, 'flag');
  await page.keyboard.press('2');
  await entry.getByRole('textbox', { name: 'Explanation' }).fill('Please ask for nothing.');
  await entry.getByRole('textbox', { name: 'Reason' }).fill('Rude');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Outcome' })).toContainText('Warned');
  await page.goto('/admin/dashboard/messages');
  const rows = page.getByRole('list', { name: 'Flagged messages' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  // Nobody decides on what they have not opened.
  await expect(rows.first().getByRole('checkbox')).toBeDisabled();
  for (const row of [rows.first(), rows.last()]) {
    await row.getByRole('link').click();
    await page.getByRole('textbox', { name: 'Why do you open it?' }).fill('The queue');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: 'Why do you open it?' })).toBeHidden();
    await expect(row.getByRole('checkbox')).toBeEnabled();
    await row.getByRole('checkbox').check();
  }
  await page.getByRole('button', { name: 'Dismiss' }).click();
  const question = page.getByRole('dialog', { name: 'Dismiss 2 messages?' });
  await question.getByRole('textbox', { name: 'Reason' }).fill('Harmless');
  await question.getByRole('textbox', { name: 'Reason' }).press('Enter');
  await expect(page.getByText('Dismissed 2 messages')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No flagged messages' })).toBeVisible();
  expect((await server.mail(ben.email, 'A decision about your account')).text).toContain(
    'Please ask for nothing.',
  );
  await pageB.goto('/decisions');
  await expect(pageB.getByText('Please ask for nothing.')).toBeVisible();
  await pageB.getByText('Appeal', { exact: true }).click();
  await pageB.getByRole('textbox', { name: 'Your appeal' }).fill('It was about a recipe.');
  await pageB.getByRole('button', { name: 'Send appeal' }).click();
  await expect(pageB.getByText("We'll email you the outcome, and show it here.")).toBeVisible();
  await computer.close();
});

test('an admin filters and sorts members, saves them as CSV, changes the tags and finds that in the audit log', async ({
  browser,
  server,
}) => {
  await addPeople(server, '=HYPERLINK("https://evil.test") Evil', 'Zoe Last', 'Abe First');
  const { computer } = await joinAsAdmin(browser, server, 'Mo Lister');
  const page = await computer.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/admin/dashboard');
  await expect(page).toHaveURL(/\/admin\/dashboard\/queue$/);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  const names = page.getByRole('region', { name: 'Members' }).locator('tbody tr td:first-child');
  await expect(names.first()).toHaveText('Mo Lister');
  await page.getByRole('button', { name: 'Name' }).click();
  await expect(names.first()).toHaveText(/^=HYPERLINK/);
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
  await expectUsable(page, 'users');
  await page.getByLabel('Name or whole email address').fill('=hyper');
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 member', { exact: true })).toBeVisible();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const file = (await (await (await saving).createReadStream()).toArray()).join('');
  expect(file).toContain(`"'=HYPERLINK(""https://evil.test"") Evil"`);
  await page.getByLabel('Status').selectOption('Suspended');
  await expect(page.getByText('No member fits these filters.')).toBeVisible();

  await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
  const addTag = page.getByRole('button', { name: 'Add', exact: true });
  await page.getByLabel('New tag').fill('  ');
  await addTag.click();
  await expect(page.getByText('Please enter a tag.')).toBeVisible();
  await page.getByLabel('New tag').fill(' friendship ');
  await addTag.click();
  await expect(page.getByText('This tag is in the list already.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save tags' }), 'nothing was added').toBeHidden();
  await page.getByLabel('New tag').fill('Slow dating');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Reason' }).fill('Members asked for it');
  await expectUsable(page, 'tags');
  await page.getByRole('button', { name: 'Save tags' }).click();
  await expect(page.getByText('Intention tags updated successfully')).toBeVisible();
  expect(await (await computer.request.get('/api/settings/intention-tags')).json()).toContain('Slow dating');

  await page.getByRole('button', { name: 'Send it now' }).click();
  await expect(page.getByText(/^This week's digest is (being )?sent/)).toBeVisible();
  await expect(page.getByText(/^This week's digest is sent/)).toBeVisible();
  await expectUsable(page, 'digest');

  await page.getByRole('link', { name: 'Audit log' }).click();
  const log = page.getByRole('region', { name: 'Audit log' });
  await expect(log).toHaveAttribute('aria-busy', 'false');
  const { promise: isRead, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/api/admin/audit?**', async (route) => {
    await isRead;
    await route.continue();
  });
  await page.getByLabel('Area').selectOption('Settings');
  await expect(log).toHaveAttribute('aria-busy', 'true');
  await expectUsable(page, 'audit while it loads');
  answer();
  await expect(log).toHaveAttribute('aria-busy', 'false');
  const entry = page.getByRole('row', { name: /settings\.intention_tags/ }).first();
  await expect(entry).toContainText('Members asked for it');
  await expect(entry).toContainText('Mo Lister');
  await expectUsable(page, 'audit');
  await page.getByLabel('To', { exact: true }).fill('2026-01-01');
  await expect(page.getByText('No entries.')).toBeVisible();
  await page.getByLabel('To', { exact: true }).fill('9999-12-30');
  await page.getByLabel('From', { exact: true }).fill('2026-01-01');
  await expect(entry).toContainText('Members asked for it');
  await computer.close();
});

test('an admin finds a member, warns and suspends them with an explanation, and reinstates them', async ({
  browser,
  phoneA,
  server,
}) => {
  const ben = await join(phoneA, server, 'Ben Sanction');
  const { computer } = await joinAsAdmin(browser, server, 'Mo Sanction');
  const page = await computer.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/admin/dashboard/users');
  await page.getByLabel('Name or whole email address').fill(ben.email);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Ben Sanction' }).click();
  await expect(page.getByText(ben.email)).toBeVisible();
  const decide = async (key: string, explanation: string, reason: string) => {
    await page.keyboard.press(key);
    if (explanation) await page.getByLabel('Explanation').fill(explanation);
    await page.getByRole('textbox', { name: 'Reason' }).fill(reason);
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('textbox', { name: 'Reason' })).toHaveValue('');
  };
  await decide('1', 'Please be kind.', 'Rude words');
  await expect(page.getByText('User status updated successfully')).toBeVisible();
  await expect(page.getByText('Please be kind.')).toBeVisible();
  await decide('2', 'You were warned.', 'Again');
  await expect(page.getByRole('heading', { name: /Ben Sanction/ })).toContainText('Suspended until');
  expect((await phoneA.request.get('/api/auth/user')).status(), 'signed out').toBe(401);
  await expectUsable(page, 'user');
  await decide('5', 'We were wrong about that line.', 'Apologised');
  const newestMail = async () => (await server.mail(ben.email, 'A decision about your account')).text;
  await expect.poll(newestMail).toContain('We were wrong about that line.');
  await expect(page.getByRole('heading', { name: /Ben Sanction/ })).toContainText('Active');
  await page.getByText('Feature', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('A good profile');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Featured status updated')).toBeVisible();
  await expect(page.getByText('Stop featuring')).toBeVisible();
  await page.getByRole('heading', { name: 'Sanctions' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Members' })).toBeVisible();
  await computer.close();
});
