import { expectUsable, joinAsAdmin } from './support/admin.ts';
import { openEditor, openSection } from './support/editor.ts';
import { join } from './support/phones.ts';
import { expect, test } from './support/test.ts';

test('a member asks for a birthday beyond the own change, and a moderator approves it', async ({
  browser,
  phoneA,
  server,
}) => {
  const ada = await join(phoneA, server, 'Ada Birthday');
  await server.query(
    "UPDATE users SET birth_date = '1985-02-03', birth_date_exact = true, birth_date_changed_at = now() WHERE id = $1",
    [ada.id],
  );
  const page = await phoneA.newPage();
  await openEditor(page);
  const sheet = await openSection(page, 'Name');
  await sheet.getByLabel('Birthday').fill('1991-05-06');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect(sheet.getByText('If it is wrong, ask us below')).toBeVisible();
  await sheet.getByLabel('Why should it change?').fill('I mistyped the year.');
  await sheet.getByRole('button', { name: 'Ask for this birthday' }).click();
  await expect(sheet.getByText('A person will look at your request')).toBeVisible();
  await expect(sheet.getByLabel('Birthday')).toHaveValue('1985-02-03');

  const { computer } = await joinAsAdmin(browser, server, 'Mo Birthday');
  const admin = await computer.newPage();
  await admin.emulateMedia({ reducedMotion: 'reduce' });
  await admin.goto('/admin/dashboard/queue');
  await admin
    .getByRole('list', { name: 'Queue' })
    .getByRole('link', { name: /Ada Birthday/ })
    .click();
  await admin.getByRole('textbox', { name: 'Why do you open it?' }).fill('The queue');
  await admin.keyboard.press('Enter');
  await expect(admin.getByText('I mistyped the year.')).toBeVisible();
  await expect(admin.getByText(/^6 years younger$|^7 years younger$/)).toBeVisible();
  await expectUsable(admin, 'birthday');
  await admin.getByRole('radio', { name: /^Approve/ }).check();
  await admin.getByRole('textbox', { name: 'Reason' }).fill('The passport says so.');
  await admin.keyboard.press('Control+Enter');
  // The queue goes on to its next entry, if another test has left one.
  await expect(admin.getByText("Ada's birthday is decided")).toBeVisible();
  expect((await server.mail(ada.email, 'Your birthday is corrected')).text).toContain('is corrected');
  const [row] = await server.query<{ day: string }>(
    'SELECT birth_date::text AS day FROM users WHERE id = $1',
    [ada.id],
  );
  expect(row?.day).toBe('1991-05-06');
});
