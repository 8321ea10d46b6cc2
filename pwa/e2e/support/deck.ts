import { type BrowserContext, expect, type Page } from '@playwright/test';
import { Finger } from './finger.ts';
import { addPeople, hideAllMembers } from './people.ts';
import { join, type Person } from './phones.ts';
import type { Server } from './server.ts';

/** The top card of the deck. */
export const top = (page: Page) => page.getByTestId('top-card');

/** Focuses the deck, which enables its keys. */
export const focusDeck = (page: Page) => page.getByRole('group', { name: 'Matches for you' }).focus();

/** Waits until the animation library is loaded: the card then follows the finger. */
export const waitForMotion = (page: Page) => expect(top(page)).toHaveCSS('cursor', 'grab');

/** Waits for the top card and returns the first name on it. */
export async function topCardName(page: Page): Promise<string> {
  const title = top(page).getByRole('heading');
  await expect(title).toBeVisible();
  return (await title.textContent())?.split(',')[0] ?? '';
}

export async function waitForNextCard(page: Page, before: string): Promise<void> {
  await expect(top(page).getByRole('heading')).not.toContainText(`${before},`);
}

/** Signs up a member, hides all others, adds people with these names, and opens the deck. */
export async function openDeck(
  phone: BrowserContext,
  server: Server,
  ...names: string[]
): Promise<{ page: Page; me: Person; finger: Finger }> {
  await hideAllMembers(server);
  const me = await join(phone, server, 'Dora Deck');
  await addPeople(server, ...names);
  await waitForCandidates(phone, names.length);
  const page = await phone.newPage();
  await page.goto('/');
  await expect(page.getByText(`1 of ${names.length} matches`)).toBeVisible();
  await focusDeck(page);
  return { page, me, finger: await Finger.on(page) };
}

/** Waits until the search index offers this number of people, a moment after they were stored. */
export async function waitForCandidates(phone: BrowserContext, people: number): Promise<void> {
  await expect
    .poll(async () => ((await (await phone.request.get('/api/matches/for-you')).json()) as unknown[]).length)
    .toBe(people);
}
