import type { Page } from '@playwright/test';
import { ageCodes, codeFor, join, newEmail, nextCode } from './support/phones.ts';
import { signUpToStart } from './support/start.ts';
import { expect, test } from './support/test.ts';

const create = (page: Page) => page.getByRole('button', { name: 'Create My Profile' }).click();

async function fillIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Full Name').fill('Nina North');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Age').fill('33');
  await page.getByLabel('City').fill('Boise');
  await page.getByLabel('State').fill('ID');
  await page.getByLabel('Bio/Reflection').fill('Long walks, short stories.');
  await page.getByRole('checkbox', { name: /Honor Code/ }).check();
}

test("each error is shown beside its field, and going back from the code keeps the form's values", async ({
  phoneA,
}) => {
  const page = await phoneA.newPage();
  const postedUrls: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && postedUrls.push(request.url()));
  await page.goto('/signup');
  await fillIn(page, 'nina at home');
  await page.getByLabel('Age').fill('0');
  await page.getByRole('checkbox', { name: /Honor Code/ }).uncheck();
  await create(page);
  await expect(page.getByText('You must accept the Honor Code')).toBeVisible();
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  await expect(page.getByText('Please enter your age')).toBeVisible();
  await expect(page.getByLabel('Email'), 'the first mistake has the focus').toBeFocused();
  await expect(page.getByLabel('Age')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Age').fill('18');
  await expect(page.getByText('Please enter your age')).toBeHidden();
  expect(postedUrls).toEqual([]);

  await page.getByLabel('Email').fill(newEmail('Nina Back'));
  await page.getByRole('checkbox', { name: /Honor Code/ }).check();
  await create(page);
  await page.getByRole('button', { name: 'Change my details' }).click();
  await expect(page.getByLabel('City')).toHaveValue('Boise');
  await expect(page.getByRole('checkbox', { name: /Honor Code/ })).toBeChecked();
});

test('the form and the step with the code survive a reload and a closed tab', async ({ phoneA, server }) => {
  const email = newEmail('Nina Reload');
  const page = await phoneA.newPage();
  await page.goto('/signup');
  await fillIn(page, email);
  await page.reload();
  await expect(page.getByLabel('Full Name')).toHaveValue('Nina North');
  await expect(page.getByRole('checkbox', { name: /Honor Code/ })).toBeChecked();
  await create(page);
  const code = await codeFor(server, email);
  await expect(page.getByLabel('Your code')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Your code')).toBeVisible();
  await page.close();

  const newTab = await phoneA.newPage();
  await newTab.goto('/signup');
  await expect(newTab.getByText(`We sent an eight-digit code to ${email}`)).toBeVisible();
  await newTab.getByLabel('Your code').fill(code);
  await expect(newTab).toHaveURL(/\/start\/gender$/);
  expect(await newTab.evaluate(() => localStorage.getItem('hw.sign-up')), 'nothing stays').toBeNull();
});

test('a wrong code is rejected, and a new one can be requested after a minute and signs up', async ({
  phoneA,
  server,
}) => {
  const email = newEmail('Nina North');
  const page = await phoneA.newPage();
  await page.clock.install();
  await page.goto('/signup');
  await fillIn(page, email);
  await create(page);
  const firstCode = await codeFor(server, email);
  await page.getByLabel('Your code').fill(firstCode === '00000000' ? '11111111' : '00000000');
  const wrongCodeText = 'This code is wrong or has expired. Please check it or ask for a new one.';
  await expect(page.getByRole('tabpanel').getByText(wrongCodeText)).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'Error' })).toContainText(wrongCodeText);
  await expect(page.getByLabel('Your code')).toHaveValue('');

  await expect(page.getByRole('button', { name: /^Send again in \d+ s$/ })).toBeDisabled();
  const sendAgain = page.getByRole('button', { name: 'Send the code again' });
  for (let second = 0; second < 55; second += 1) await page.clock.runFor(1000);
  await expect(page.getByRole('button', { name: /^Send again in \d s$/ })).toBeDisabled();
  for (let second = 0; second < 5; second += 1) await page.clock.runFor(1000);
  await ageCodes(server, email);
  await sendAgain.click();
  await expect(page.getByText('Your code is on its way')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Send again in \d+ s$/ })).toBeDisabled();

  const secondCode = await nextCode(server, email, firstCode);
  await page.getByLabel('Your code').fill(`${secondCode.slice(0, 4)} ${secondCode.slice(4)}`);
  await expect(page).toHaveURL(/\/start\/gender$/);
  await expect(page.getByText('Your profile has been created successfully.')).toBeVisible();
});

test('an address with an account shows the same screen; only its mail differs', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const owner = await join(phoneB, server, 'Olga Owner');
  await ageCodes(server, owner.email);
  const signUpCode = await codeFor(server, owner.email);
  const screenFor = async (email: string) => {
    const page = await phoneA.newPage();
    await page.goto('/signup');
    // Tabs share the form, and an earlier one may have reached the step with the code.
    const back = page.getByRole('button', { name: 'Change my details' });
    await expect(back.or(page.getByLabel('Full Name'))).toBeVisible();
    if (await back.isVisible()) await back.click();
    await fillIn(page, email);
    await create(page);
    await expect(page.getByLabel('Your code')).toBeFocused();
    const text = await page.getByRole('main').textContent();
    return { page, text: text?.replace(email, '…').replace(/in \d+ s/, 'in … s') };
  };
  const unknown = await screenFor(newEmail('Nobody'));
  const { page, text } = await screenFor(owner.email);
  expect(text).toBe(unknown.text);

  const code = await nextCode(server, owner.email, signUpCode);
  expect((await server.mail(owner.email, 'code')).text).toContain('You already have a Heartward account.');
  await page.getByLabel('Your code').fill(code);
  await expect(
    page.getByRole('tabpanel').getByText('You have an account already. Sign in instead.'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Sign in instead' }).click();
  await expect(page.getByRole('tab', { name: 'Sign In' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByLabel('Email')).toHaveValue(owner.email);
});

test('on a wide screen the welcome covers neither the navigation nor the question', async ({
  phoneA,
  server,
}) => {
  const page = await phoneA.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await signUpToStart(page, server, 'Nina Wide');
  const welcome = page.locator('.hw-toast');
  // It stays while it is hovered.
  await welcome.hover();
  await expect(welcome).toContainText('Welcome to Heartward');
  for (const width of [1440, 768]) {
    await page.setViewportSize({ width, height: 900 });
    for (const covered of [page.locator('.hw-topnav'), page.getByRole('heading', { level: 1 })]) {
      const box = await covered.boundingBox();
      const bottom = (box?.y ?? 0) + (box?.height ?? Number.NaN);
      await expect.poll(async () => (await welcome.boundingBox())?.y ?? 0).toBeGreaterThanOrEqual(bottom);
    }
  }
});
