import type { Page } from '@playwright/test';
import { codeFor, newEmail } from './phones.ts';
import type { Server } from './server.ts';
import { expect } from './test.ts';

/** Fills in the form of /signup, which is open, and the mailed code. */
export async function fillSignUp(page: Page, server: Server, fullName: string, email: string): Promise<void> {
  await page.getByLabel('Full Name').fill(fullName);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Age').fill('33');
  await page.getByLabel('City').fill('Boise');
  await page.getByLabel('State').fill('ID');
  await page.getByLabel('Bio/Reflection').fill('Long walks.');
  await page.getByRole('checkbox', { name: /Honor Code/ }).check();
  await page.getByRole('button', { name: 'Create My Profile' }).click();
  await page.getByLabel('Your code').fill(await codeFor(server, email));
}

/** Signs up through the screens, up to the first question. Returns the address. */
export async function signUpToStart(page: Page, server: Server, fullName: string): Promise<string> {
  const email = newEmail(fullName);
  await page.goto('/signup');
  await fillSignUp(page, server, fullName, email);
  await expect(question(page, 'Who are you?')).toBeVisible();
  return email;
}

export const question = (page: Page, title: string) => page.getByRole('heading', { name: title, level: 1 });

/** Answers the questions before the first person, and leaves the others for later. */
export async function answerAndLeave(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Woman', exact: true }).click();
  await page.getByRole('button', { name: 'Everyone' }).click();
  await expect(question(page, 'Add a photo of you')).toBeVisible();
  await page.getByRole('link', { name: 'Finish later' }).click();
  await expect(page).toHaveURL(/\/discover$/);
  await expect(question(page, 'Discover')).toBeVisible();
}
