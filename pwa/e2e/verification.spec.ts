import { findSeriousViolations } from './support/axe.ts';
import { portraitFile } from './support/editor.ts';
import { join } from './support/phones.ts';
import { expect, test } from './support/test.ts';

test('a selfie in the requested pose is sent, rejected with a reason, sent again and approved', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const vela = await join(phoneA, server, 'Vela Verify');
  await join(phoneB, server, 'Ben Believer');
  const page = await phoneA.newPage();
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'));
  });
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Get verified' });
  const fetchVerification = async () =>
    (await (await phoneA.request.get('/api/verification')).json()) as { status: string; instruction: string };
  await expect(sheet.getByText('Only the person who compares it sees this picture.')).toBeVisible();
  await expect(sheet.getByText((await fetchVerification()).instruction)).toBeVisible();
  expect.soft(await findSeriousViolations(page)).toEqual([]);

  // Without a camera the screen asks for access and accepts a picture instead.
  await sheet.getByRole('button', { name: 'Take a selfie' }).click();
  await expect(sheet.getByRole('alert')).toContainText('Camera Access Required');
  await expect(
    sheet.locator('input[type=file]'),
    'a picture from the gallery can be chosen too',
  ).not.toHaveAttribute('capture');
  await sheet.locator('input[type=file]').setInputFiles(portraitFile);
  await expect(sheet.getByRole('img', { name: 'The selfie you are about to send' })).toBeVisible();
  await sheet.getByRole('button', { name: 'Send selfie' }).click();
  await expect(page.getByText('Your selfie is being compared')).toBeVisible();
  expect((await fetchVerification()).status).toBe('pending');
  expect((await phoneB.request.get(`/api/users/${vela.id}`)).ok()).toBe(true);

  const decide = (status: string, reason: string) =>
    server.query(
      "UPDATE verifications SET status = $2, decided_at = now(), reason = $3 WHERE user_id = $1 AND status = 'pending'",
      [vela.id, status, reason],
    );
  await decide('rejected', 'Your hand is not to be seen.');
  await page.reload();
  await expect(page.getByText('Your hand is not to be seen.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await sheet.locator('input[type=file]').setInputFiles(portraitFile);
  await sheet.getByRole('button', { name: 'Send selfie' }).click();
  await expect(page.getByText('Your selfie is being compared')).toBeVisible();

  await decide('approved', 'It is her.');
  await server.query('UPDATE users SET verified_at = now() WHERE id = $1', [vela.id]);
  await page.reload();
  await expect(page.getByText('You are verified')).toBeVisible();
  const other = await phoneB.newPage();
  await other.goto(`/profile/${vela.id}`);
  await expect(other.getByText('Verified', { exact: true })).toBeVisible();

  // Another name ends the verification, after a question; another selfie renews it.
  await page.getByRole('button', { name: 'Edit Profile' }).first().click();
  await page.getByRole('button', { name: /^Name, birthday, height/ }).click();
  const section = page.getByRole('dialog', { name: 'Name, birthday, height' });
  await section.getByLabel('Full Name').fill('Vela Veritas');
  await section.getByRole('button', { name: 'Save' }).click();
  const question = page.getByRole('dialog', { name: 'End your verification?' });
  await expect(question).toBeVisible();
  expect.soft(await findSeriousViolations(page)).toEqual([]);
  await question.getByRole('button', { name: 'Keep the badge' }).click();
  await section.getByRole('button', { name: 'Save' }).click();
  await question.getByRole('button', { name: 'Save the change' }).click();
  await expect(page.getByText('Send a new selfie from your profile to get the badge back.')).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { name: 'Your verification has ended' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Verify again' })).toBeVisible();
  await other.reload();
  await expect(other.getByRole('heading', { name: /Vela/ }).first()).toBeVisible();
  await expect(other.getByText('Verified', { exact: true })).toBeHidden();
});
