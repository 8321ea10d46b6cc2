/** What a member who was hidden for the age, or suspended for a message, reads and can do. */
import { expectUsable, joinAsAdmin } from './support/admin.ts';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { join, match, openConversation, sendMessage, signInOn } from './support/phones.ts';
import { expect, test } from './support/test.ts';

test('a member who may be under 18 is hidden at once, asked to show the age, and shown again', async ({
  browser,
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Age');
  const ben = await join(phoneB, server, 'Ben Age');
  await match(phoneA, ann, phoneB, ben);
  const phone = await phoneB.newPage();
  await phone.goto('/messages');
  await expect(phone.getByRole('link', { name: /Ann/ })).toBeVisible();
  const report = { userId: ben.id, reason: 'underage', description: 'He is in my class.', place: 'match' };
  expect((await phoneA.request.post('/api/reports', { data: report })).status()).toBe(201);
  await expect(phone.getByRole('heading', { name: 'Your profile is under review' })).toBeVisible();

  const { computer } = await joinAsAdmin(browser, server, 'Mo Age');
  const desk = await computer.newPage();
  await desk.emulateMedia({ reducedMotion: 'reduce' });
  await desk.goto('/admin/dashboard/reports');
  await desk.getByRole('link', { name: /May be under 18.*Ben Age/ }).click();
  await desk.getByRole('textbox', { name: 'Why do you open it?' }).fill('The queue');
  await desk.keyboard.press('Enter');
  await desk.getByRole('button', { name: 'Ask to show the age' }).click();
  await expect(desk.getByText('The member was asked to show the age.')).toBeVisible();
  await expectUsable(desk, 'age');
  expect((await server.mail(ben.email, 'Please show us your age')).text).not.toContain('Ann');
  await phone.reload();
  await expect(phone.getByText('A moderator asks you to show that you are 18 or older.')).toBeVisible();
  await expectAccessibleInEveryTheme(phone, 'age');

  await desk.keyboard.press('1');
  await desk.getByRole('textbox', { name: 'Reason' }).fill('The passport says 1990');
  await desk.keyboard.press('Control+Enter');
  await expect(desk.getByText('Report updated successfully')).toBeVisible();
  await phone.goto('/messages');
  await expect(phone.getByRole('heading', { name: 'Messages' })).toBeVisible();
  await computer.close();
});

test('a member is suspended for a message until an end, appeals, and another admin lifts it', async ({
  browser,
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Line');
  const ben = await join(phoneB, server, 'Ben Line');
  await match(phoneA, ann, phoneB, ben);
  const phone = await openConversation(phoneB, ann);
  const line = 'Out, out, brief candle.';
  await sendMessage(phone, line);
  const stored = () => server.query('SELECT id FROM messages WHERE content = $1', [line]);
  await expect.poll(stored).toHaveLength(1);
  await server.query(
    `INSERT INTO message_flags (message_id, conversation_id, seq, sender_id, receiver_id, content, category, score, source)
     SELECT id, conversation_id, seq, sender_id, $1, content, 'harassment', 0.8, 'filter'
     FROM messages WHERE content = $2`,
    [ann.id, line],
  );

  const { computer } = await joinAsAdmin(browser, server, 'Mo Line');
  const desk = await computer.newPage();
  await desk.emulateMedia({ reducedMotion: 'reduce' });
  await desk.goto('/admin/dashboard/messages');
  await desk
    .getByRole('list', { name: 'Flagged messages' })
    .getByRole('link', { name: /Ben Line/ })
    .click();
  await desk.getByRole('textbox', { name: 'Why do you open it?' }).fill('The queue');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('article', { name: 'Flagged message' }).getByText(line)).toBeVisible();
  await desk.keyboard.press('3');
  await desk.getByRole('textbox', { name: 'Explanation' }).fill('You frightened a member.');
  await desk.getByRole('textbox', { name: 'Reason' }).fill('A threat');
  await desk.keyboard.press('Control+Enter');
  await expect(desk.getByText('The message is decided')).toBeVisible();
  expect((await server.mail(ben.email, 'A decision about your account')).text).toMatch(
    /is\s+suspended\s+until/,
  );

  await signInOn(phoneB, server, ben);
  await phone.goto('/messages');
  await expect(phone.getByRole('heading', { name: /^Your account is suspended until/ })).toBeVisible();
  await expect(phone.getByText('You frightened a member.')).toBeVisible();
  await phone.getByRole('textbox', { name: 'Your appeal' }).fill('It is a line of Macbeth.');
  await phone.getByRole('button', { name: 'Send appeal' }).click();
  await expect(phone.getByText("We'll email you the outcome, and show it here.")).toBeVisible();

  const { computer: secondComputer } = await joinAsAdmin(browser, server, 'Di Line');
  const second = await secondComputer.newPage();
  await second.emulateMedia({ reducedMotion: 'reduce' });
  await second.goto('/admin/dashboard/appeals');
  await second.getByRole('link', { name: /Suspension.*Ben Line/ }).click();
  await second.getByRole('textbox', { name: 'Why do you open it?' }).fill('The queue');
  await second.keyboard.press('Enter');
  await expect(second.getByText('It is a line of Macbeth.')).toBeVisible();
  await second.getByRole('radio', { name: /^Take it back/ }).check();
  await second.getByLabel('Explanation').fill('So it is.');
  await second.getByRole('textbox', { name: 'Reason' }).fill('A quotation');
  await second.keyboard.press('Control+Enter');
  await expect(second.getByRole('region', { name: 'Outcome' })).toContainText('The decision was taken back');
  expect((await server.mail(ben.email, 'About your appeal')).text).toContain('So it is.');
  await phone.reload();
  await expect(phone.getByRole('heading', { name: 'Messages' })).toBeVisible();
  for (const one of [computer, secondComputer]) await one.close();
});
