/** Toasts of the specification about failures that no other test causes. src/app/specToasts.test.ts lists them all. */
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { signInAsDemo, test } from './support/demo.ts';
import { newPhone } from './support/phones.ts';

const expectToast = async (page: Page, ...texts: string[]): Promise<void> => {
  for (const text of texts) await expect(page.getByText(text).last()).toBeVisible();
};

/** Answers writes to an address. */
const answer = (page: Page, path: string, status: number, body: string) =>
  page.route(path, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status, body, contentType: 'application/problem+json' })
      : route.continue(),
  );

test('an admin whose sign-in fails reads why', async ({ browser, server }) => {
  const phone = await newPhone(browser, server.url);
  const page = await phone.newPage();
  await answer(page, '**/api/admin/login', 503, JSON.stringify({ detail: 'We are away for a moment.' }));
  await page.goto('/admin/login');
  await page.getByLabel('Email').fill('admin@example.test');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Login Failed', 'We are away for a moment.');
  await phone.close();
});

test('a member whose story cannot be submitted reads why', async ({ browser, server }) => {
  const phone = await newPhone(browser, server.url);
  await signInAsDemo(phone);
  const page = await phone.newPage();
  await page.goto('/community');
  await page.getByRole('button', { name: 'Share Your Story' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Share Your Journey' });
  await dialog.getByRole('textbox', { name: 'Title' }).fill('A slow morning');
  await dialog.getByRole('textbox', { name: 'Brief Summary' }).fill('How we met.');
  await dialog.getByRole('combobox', { name: 'Category' }).selectOption('Community Story');
  await dialog.getByRole('textbox', { name: 'Your Story' }).fill('We both came early.');
  const submit = dialog.getByRole('button', { name: 'Submit Story' });
  await answer(page, '**/api/community/posts', 500, JSON.stringify({ detail: 'The board is full.' }));
  await submit.click();
  await expectToast(page, 'Submission failed', 'The board is full.');
  // Without an answer that can be read.
  await answer(page, '**/api/community/posts', 201, '');
  await submit.click();
  await expectToast(page, 'There was an error submitting your story. Please try again.');
  await phone.close();
});

/** Opens the settings on a device whose browser answers like this when the app asks for the permission. */
async function askForNotifications(
  phone: BrowserContext,
  permission: 'denied' | 'default' | 'granted' | 'error',
) {
  const page = await phone.newPage();
  await page.addInitScript((result) => {
    let current = 'default';
    Object.defineProperty(Notification, 'permission', { get: () => current });
    Notification.requestPermission = async () => {
      if (result === 'error') throw new Error('no prompt');
      current = result;
      return result as NotificationPermission;
    };
  }, permission);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  return page;
}

test('a member who does not allow notifications, cannot be asked, or whose browser does not set them up, reads so', async ({
  browser,
  server,
}) => {
  const phone = await newPhone(browser, server.url);
  await signInAsDemo(phone);
  const refused = await askForNotifications(phone, 'denied');
  await expectToast(refused, 'Notifications blocked', 'Notifications are blocked. You can allow them');
  await refused.close();
  const closed = await askForNotifications(phone, 'default');
  await expectToast(closed, 'Notifications not enabled', 'You can turn them on later.');
  await closed.close();
  const failed = await askForNotifications(phone, 'error');
  await expectToast(failed, 'Notifications not enabled', 'Could not request notification permission');
  await failed.close();
  // The phone has no worker.
  const unset = await askForNotifications(phone, 'granted');
  await expectToast(unset, 'Notifications not enabled', 'this browser did not set them up');
  await phone.close();
});
