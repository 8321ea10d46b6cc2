import { type BrowserContext, expect, type Page } from '@playwright/test';
import { addPeople, emptyTown } from './cast.ts';
import { Finger } from './finger.ts';
import { join, type Person } from './phones.ts';
import type { Server } from './server.ts';

/** The card in hand. */
export const top = (page: Page) => page.getByTestId('top-card');

/** The keys of the deck work while it has the focus. */
export const focusDeck = (page: Page) => page.getByRole('group', { name: 'Matches for you' }).focus();

/** The first name on the card in hand, once it lies still. */
export async function inHand(page: Page): Promise<string> {
  const title = top(page).getByRole('heading');
  await expect(title).toBeVisible();
  return (await title.textContent())?.split(',')[0] ?? '';
}

export async function nextCard(page: Page, before: string): Promise<void> {
  await expect(top(page).getByRole('heading')).not.toContainText(`${before},`);
}

/** A member alone with these people, looking at the deck. */
export async function sitDown(
  phone: BrowserContext,
  server: Server,
  ...names: string[]
): Promise<{ page: Page; me: Person; finger: Finger }> {
  await emptyTown(server);
  const me = await join(phone, server, 'Dora Deck');
  await addPeople(server, ...names);
  await untilOffered(phone, names.length);
  const page = await phone.newPage();
  await page.goto('/');
  await expect(page.getByText(`1 of ${names.length} matches`)).toBeVisible();
  await focusDeck(page);
  return { page, me, finger: await Finger.on(page) };
}

/** Whoever was written into the database is found a moment later. */
export async function untilOffered(phone: BrowserContext, people: number): Promise<void> {
  await expect
    .poll(async () => ((await (await phone.request.get('/api/matches/for-you')).json()) as unknown[]).length)
    .toBe(people);
}
