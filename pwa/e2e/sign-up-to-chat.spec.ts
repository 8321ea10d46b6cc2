import type { Page } from '@playwright/test';
import { focusDeck } from './support/deck.ts';
import { cropAndUse, openEditor, portraitFile } from './support/editor.ts';
import { bubbles, composer, keepCelebrationsOpen, newEmail, sendMessage, ticks } from './support/phones.ts';
import type { Server } from './support/server.ts';
import { answerAndLeave, fillSignUp } from './support/start.ts';
import { expect, test } from './support/test.ts';

/** Signs up through the screens: the form and the mailed code. */
async function signUp(page: Page, server: Server, name: string): Promise<void> {
  await page.goto('/signup');
  await expect(page.getByRole('heading', { name: 'Create Your Profile' })).toBeVisible();
  await page.getByText('Long-term', { exact: true }).click();
  await fillSignUp(page, server, name, newEmail(name));
  await expect(page.getByText('Welcome to Heartward')).toBeVisible();
  await answerAndLeave(page);
}

async function addPhoto(page: Page): Promise<void> {
  await openEditor(page);
  await page.locator('input[type=file]').first().setInputFiles(portraitFile);
  await cropAndUse(page);
  await expect(page.getByRole('img', { name: /photo 1/i })).toBeVisible();
}

/** Opens the deck and expects the named member's card on top. */
async function expectTopCard(page: Page, firstName: string): Promise<void> {
  await page.goto('/');
  const top = page.getByTestId('top-card');
  await expect(top).toContainText(firstName);
}

test('two members sign up, find and like each other, match and exchange messages', async ({
  phoneA,
  phoneB,
  server,
}) => {
  await keepCelebrationsOpen(phoneA, phoneB);
  const maya = await phoneA.newPage();
  const noah = await phoneB.newPage();
  await test.step('both sign up by a mailed code and add a photo', async () => {
    await signUp(maya, server, 'Maya Field');
    await signUp(noah, server, 'Noah Brook');
    await addPhoto(maya);
    await addPhoto(noah);
  });

  await test.step('both find and like each other, and both see the match', async () => {
    await expectTopCard(maya, 'Noah');
    await expect(maya.getByTestId('top-card').getByRole('img').first()).toBeVisible();
    await maya.getByRole('button', { name: 'Like', exact: true }).click();
    await expectTopCard(noah, 'Maya');
    await focusDeck(noah);
    await noah.keyboard.press('ArrowRight');
    await expect(noah.getByText("It's a Match!").first()).toBeVisible();
    await expect(maya.getByText("It's a Match!").first()).toBeVisible();
  });

  await test.step('both find each other in Matches and open the conversation', async () => {
    for (const [page, other] of [
      [maya, 'Noah'],
      [noah, 'Maya'],
    ] as const) {
      await page.goto('/matches');
      await expect(page.getByRole('heading', { name: 'Your Matches' })).toBeVisible();
      await expect(page.getByText(other).first()).toBeVisible();
      await page
        .getByRole('link', { name: /^Message/ })
        .first()
        .click();
      await expect(composer(page)).toBeEditable();
    }
  });

  await test.step('both write, with live delivery, typing indicator and ticks', async () => {
    await composer(maya).pressSequentially('Hello Noah');
    await expect(noah.getByText('Maya is typing')).toBeVisible();
    await composer(maya).press('Enter');
    await expect.poll(() => bubbles(noah)).toEqual(['Hello Noah']);
    await expect(noah.getByText('Maya is typing')).toBeHidden();
    await expect(ticks(maya, 'read')).toBeVisible();
    await sendMessage(noah, 'Hello Maya');
    await expect.poll(() => bubbles(maya)).toEqual(['Hello Noah', 'Hello Maya']);
    await sendMessage(maya, 'How was the market?');
    await expect.poll(() => bubbles(noah)).toEqual(['Hello Noah', 'Hello Maya', 'How was the market?']);
    await expect(ticks(maya, 'read')).toHaveCount(2);
  });

  await test.step('a message to a member on another screen is delivered, then read', async () => {
    await noah.goto('/discover');
    await sendMessage(maya, 'See you there');
    await expect(ticks(maya, 'delivered')).toBeVisible();
    await expect(noah.getByRole('link', { name: /Messages.*1/ })).toBeVisible();
    await noah.getByRole('link', { name: /Messages/ }).click();
    await noah.getByText('See you there').click();
    await expect(ticks(maya, 'delivered')).toHaveCount(0);
  });
});
