import { expectUsable, joinAsAdmin } from './support/admin.ts';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { join, match, signInOn } from './support/phones.ts';
import { expect, test } from './support/test.ts';

test('a reported member is hidden, a moderator removes the bio and suspends them by one decision, and an admin who grants the appeal takes both back', async ({
  browser,
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Day');
  const ben = await join(phoneB, server, 'Ben Day');
  await match(phoneA, ann, phoneB, ben);
  const bio = 'I find everyone.';
  expect((await phoneB.request.patch('/api/users/me', { data: { bio } })).status()).toBe(200);
  const { computer, admin } = await joinAsAdmin(browser, server, 'Mo Day');
  await server.query('UPDATE users SET is_admin = false, is_moderator = true WHERE id = $1', [admin.id]);
  const { computer: secondComputer } = await joinAsAdmin(browser, server, 'Di Day');
  const phone = await phoneB.newPage();
  await phone.emulateMedia({ reducedMotion: 'reduce' });
  await phone.goto('/messages');
  await expect(phone.getByRole('link', { name: /Ann/ })).toBeVisible();

  const report = { userId: ben.id, reason: 'threat', description: 'He frightens me.', place: 'match' };
  expect((await phoneA.request.post('/api/reports', { data: report })).status()).toBe(201);
  await expect(phone.getByRole('heading', { name: 'Your profile is under review' })).toBeVisible();
  await expect(phone.getByText(/We've received a serious report about your account/)).toBeVisible();
  await expect(phone.getByRole('textbox', { name: 'Your appeal' }), 'there is no decision yet').toBeHidden();
  await expect(phone.getByText(/If nobody has decided by/)).toBeVisible();
  expect((await server.mail(ben.email, 'Your profile is hidden for now')).text).not.toContain('Ann');
  await phone.getByRole('textbox', { name: 'Your statement' }).fill('We rehearse a play.');
  await phone.getByRole('button', { name: 'Send statement' }).click();
  await expect(phone.getByText('The moderator reads it before the decision.')).toBeVisible();
  await expectAccessibleInEveryTheme(phone, 'under review');

  const desk = await computer.newPage();
  await desk.emulateMedia({ reducedMotion: 'reduce' });
  await desk.goto('/admin/dashboard/reports');
  await desk.getByRole('link', { name: /Threat.*Ben Day/ }).click();
  await desk.getByRole('textbox', { name: 'Why do you open it?' }).fill('The queue');
  await desk.keyboard.press('Enter');
  await expect(desk.getByText('He frightens me.')).toBeVisible();
  await expect(desk.getByText('We rehearse a play.')).toBeVisible();
  await desk.keyboard.press('3');
  await desk.getByRole('switch', { name: /^Remove parts of the profile too/ }).check();
  await desk.keyboard.press('Control+Enter');
  await expect(desk.getByText('Please choose what to remove.')).toBeVisible();
  await desk.getByRole('checkbox', { name: /^Bio/ }).check();
  await expect(desk.getByText('Please choose what to remove.')).toBeHidden();
  await desk.getByLabel('Explanation').fill('You threatened a member.');
  const preview = desk.getByRole('region', { name: 'Preview' });
  await expect(preview.getByText('Nobody sees these parts of the profile from now on: bio.')).toBeVisible();
  await expect(preview.getByText(/Your account was suspended, and parts of your profile/)).toBeVisible();
  await expectUsable(desk, 'two consequences');
  await desk.getByRole('textbox', { name: 'Reason' }).fill('A clear threat');
  await desk.keyboard.press('Control+Enter');
  await expect(desk.getByText('Report updated successfully')).toBeVisible();
  expect((await server.mail(ann.email, 'About your report')).text).not.toContain('suspend');
  const reporter = await phoneA.newPage();
  await reporter.goto('/decisions');
  await expect(reporter.getByText(/we took action/), 'the reporter does not learn which').toBeVisible();
  await expect(reporter.getByText(/suspen/)).toHaveCount(0);
  const decided = await server.mail(ben.email, 'A decision');
  expect(decided.text).toContain('You threatened a member.');
  expect(decided.text.replace(/\s+/g, ' ')).toContain(', and we have removed parts of your profile');

  await signInOn(phoneB, server, ben);
  await phone.goto('/messages');
  await expect(phone.getByRole('heading', { name: /^Your account is suspended until/ })).toBeVisible();
  await expect(phone.getByText('You threatened a member.')).toBeVisible();
  await expect(phone.getByText(/These parts of your profile aren't shown anymore: bio\./)).toBeVisible();
  await expect(phone.getByRole('link', { name: /Ann/ }), 'nothing else works').toBeHidden();
  await expect(phone.getByRole('button', { name: 'Ask for my data' })).toBeVisible();
  await expect(phone.getByRole('button', { name: 'Delete my account' })).toBeVisible();
  await expectAccessibleInEveryTheme(phone, 'suspended');
  await phone.getByRole('button', { name: 'Send appeal' }).click();
  await expect(phone.getByText('Please tell us why you think this is wrong.')).toBeVisible();
  await phone.getByRole('textbox', { name: 'Your appeal' }).fill('It was a line from a play.');
  await phone.getByRole('button', { name: 'Send appeal' }).click();
  await expect(phone.getByText("We'll email you the outcome, and show it here.")).toBeVisible();

  await expect(desk.getByRole('link', { name: 'Appeals' }), 'moderators decide no appeals').toBeHidden();
  // The moderator becomes an admin, and still does not decide on the appeal against the own decision.
  await server.query('UPDATE users SET is_admin = true, is_moderator = false WHERE id = $1', [admin.id]);
  await desk.goto('/admin/dashboard/appeals');
  await expect(desk.getByRole('link', { name: /Suspension.*Ben Day.*Needs another admin/ })).toBeVisible();
  const second = await secondComputer.newPage();
  await second.emulateMedia({ reducedMotion: 'reduce' });
  await second.goto('/admin/dashboard/appeals');
  const row = second.getByRole('link', { name: /Suspension.*Ben Day/ });
  await expect(row).toContainText('Not opened yet');
  await expect(second.getByText('It was a line from a play.'), 'the list has no contents').toBeHidden();
  await expectUsable(second, 'appeals');
  // Other tests may have left appeals that come first.
  await row.press('Enter');
  await second.getByRole('textbox', { name: 'Why do you open it?' }).fill('The queue');
  await second.keyboard.press('Enter');
  await expect(second.getByText('It was a line from a play.')).toBeVisible();
  await expect(second.getByText('You threatened a member.')).toBeVisible();
  await expect(second.getByText(bio), 'the removed text').toBeVisible();
  await second.keyboard.press('2');
  await expect(second.getByRole('radio', { name: /^Take it back/ })).toBeChecked();
  await second.getByLabel('Explanation').fill('We read the whole conversation.');
  await second.getByRole('textbox', { name: 'Reason' }).fill('A quotation');
  await expectUsable(second, 'appeal');
  await second.keyboard.press('Control+Enter');
  await expect(second.getByRole('region', { name: 'Outcome' })).toContainText('The decision was taken back');
  expect((await server.mail(ben.email, 'About your appeal')).text).toContain(
    'We read the whole conversation.',
  );

  await phone.reload();
  await expect(phone.getByRole('heading', { name: 'Messages' })).toBeVisible();
  expect((await (await phoneB.request.get('/api/users/me')).json()).bio).toBe(bio);
  const audited = await server.query<{ action: string }>(
    'SELECT action FROM audit_log WHERE subject_id = $1 AND admin_id <> $2 ORDER BY id',
    [ben.id, admin.id],
  );
  expect(audited.map(({ action }) => action)).toEqual(['appeal.open', 'appeal.lifted']);
  await computer.close();
  await secondComputer.close();
});

test('a moderator removes a bio with the preview and a note, the member appeals, and another admin puts it back', async ({
  browser,
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Parts');
  const ben = await join(phoneB, server, 'Ben Parts');
  await match(phoneA, ann, phoneB, ben);
  const bio = 'Write to me at cheap-watches.';
  expect((await phoneB.request.patch('/api/users/me', { data: { bio } })).status()).toBe(200);
  const { computer } = await joinAsAdmin(browser, server, 'Mo Parts');
  const { computer: secondComputer } = await joinAsAdmin(browser, server, 'Di Parts');
  const report = { userId: ben.id, reason: 'spam', description: 'He sells watches.', place: 'match' };
  expect((await phoneA.request.post('/api/reports', { data: report })).status()).toBe(201);

  const desk = await computer.newPage();
  await desk.emulateMedia({ reducedMotion: 'reduce' });
  await desk.goto('/admin/dashboard/reports');
  await desk.getByRole('link', { name: /Ben Parts/ }).click();
  await desk.getByRole('textbox', { name: 'Why do you open it?' }).fill('The queue');
  await desk.keyboard.press('Enter');
  await expect(desk.getByText('He sells watches.')).toBeVisible();
  await desk.getByRole('radio', { name: /^Remove parts/ }).check();
  await desk.keyboard.press('Control+Enter');
  await expect(desk.getByText('Please choose what to remove.')).toBeVisible();
  await desk.getByRole('checkbox', { name: /^Bio/ }).check();
  await desk.getByRole('combobox', { name: 'Rule' }).selectOption('spam');
  await desk.getByLabel('Explanation').fill('A profile is no place for advertising.');
  const preview = desk.getByRole('region', { name: 'Preview' });
  await expect(preview.getByText('Nobody sees these parts of the profile from now on: bio.')).toBeVisible();
  await preview.getByText('Email to the member').click();
  await expect(preview.getByText(/We have removed\s+parts of your profile/)).toBeVisible();
  await expect(preview.getByText(/the rule against advertising/)).toBeVisible();
  await expectUsable(desk, 'removal preview');
  await desk.getByRole('textbox', { name: 'New note' }).fill('Sold watches before.');
  await desk.getByRole('button', { name: 'Add note' }).click();
  await expect(desk.getByText('Sold watches before.')).toBeVisible();
  await desk.getByRole('textbox', { name: 'Reason' }).fill('Advertising');
  await desk.keyboard.press('Control+Enter');
  await expect(desk.getByRole('region', { name: 'Outcome' })).toContainText('Parts removed');
  expect((await server.mail(ben.email, 'A decision')).text).toContain(
    'A profile is no place for advertising.',
  );

  const phone = await phoneB.newPage();
  await phone.emulateMedia({ reducedMotion: 'reduce' });
  await phone.goto('/decisions');
  await expect(phone.getByRole('heading', { name: /^Parts of your profile were removed/ })).toBeVisible();
  await phone.getByText('The reasons').click();
  await expect(phone.getByText("These parts of your profile aren't shown anymore: bio.")).toBeVisible();
  await expectAccessibleInEveryTheme(phone, 'removed parts');
  const me = await (await phoneB.request.get('/api/users/me')).json();
  expect(me.bio).toBe('');
  await phone.getByText('Appeal', { exact: true }).click();
  await phone.getByRole('textbox', { name: 'Your appeal' }).fill('I collect them.');
  await phone.getByRole('button', { name: 'Send appeal' }).click();
  await expect(phone.getByText("We'll email you the outcome, and show it here.")).toBeVisible();

  const second = await secondComputer.newPage();
  await second.emulateMedia({ reducedMotion: 'reduce' });
  await second.goto('/admin/dashboard/appeals');
  await second.getByRole('link', { name: /Removal of parts of the profile.*Ben Parts/ }).click();
  await second.getByRole('textbox', { name: 'Why do you open it?' }).fill('The queue');
  await second.keyboard.press('Enter');
  await expect(second.getByText(bio), 'the removed text').toBeVisible();
  await second.getByRole('radio', { name: /^Take it back/ }).check();
  await second.getByLabel('Explanation').fill('It is a hobby.');
  await expect(second.getByText('Put back on the profile: bio.')).toBeVisible();
  await expectUsable(second, 'appeal preview');
  await second.getByRole('textbox', { name: 'Reason' }).fill('No advertising');
  await second.keyboard.press('Control+Enter');
  await expect(second.getByRole('region', { name: 'Outcome' })).toContainText('The decision was taken back');
  await second.goto(`/admin/dashboard/users/${ben.id}`);
  await expect(second.getByText('Sold watches before.'), 'the note of the other moderator').toBeHidden();
  await expect(second.getByRole('link', { name: 'taken back' })).toBeVisible();

  await phone.reload();
  await expect(phone.getByText(/^Taken back on/)).toBeVisible();
  expect((await (await phoneB.request.get('/api/users/me')).json()).bio).toBe(bio);
  await computer.close();
  await secondComputer.close();
});

test('a member reads of the review although the profile was hidden before the connection was open', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Early');
  const ben = await join(phoneB, server, 'Ben Early');
  await match(phoneA, ann, phoneB, ben);
  const phone = await phoneB.newPage();
  const reported = Promise.withResolvers<void>();
  await phone.route('**/assets/Background-*.js', async (route) => {
    await reported.promise;
    await route.continue();
  });
  await phone.goto('/messages');
  await expect(phone.getByRole('heading', { name: 'Messages' })).toBeVisible();

  const report = { userId: ben.id, reason: 'threat', description: 'He frightens me.', place: 'match' };
  expect((await phoneA.request.post('/api/reports', { data: report })).status()).toBe(201);
  reported.resolve();
  await expect(phone.getByRole('heading', { name: 'Your profile is under review' })).toBeVisible();
});
