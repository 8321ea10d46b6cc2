/** Screens with long, Arabic and emoji names, at four widths, in three themes, and with text of double size. */
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';
import { waitForCandidates } from './support/deck.ts';
import {
  findBrokenWords,
  findLayoutFaults,
  layoutShiftsOf,
  positionsOf,
  recordLayoutShifts,
  trackRequests,
} from './support/layout.ts';
import { oncePerWorker } from './support/once.ts';
import { hideAllMembers } from './support/people.ts';
import { join, match, newPhone, type Person } from './support/phones.ts';
import type { Server } from './support/server.ts';
import { answerAndLeave, signUpToStart } from './support/start.ts';
import { test as base, expect } from './support/test.ts';

const LONG = 'Wilhelmina Vandenbroucke-Østergård-Featherstonehaugh-Montgomery-Smythe';

type Pair = { page: Page; other: Person; stranger: Person };

/** A member with a long name, matched with one whose name has Arabic letters and an emoji. */
async function makePair(a: BrowserContext, b: BrowserContext, server: Server): Promise<Pair> {
  await hideAllMembers(server);
  const own = await join(a, server, 'Wilhelmina Layout', { fullName: LONG, bio: 'x'.repeat(300) });
  const other = await join(b, server, 'Nour Layout', { fullName: '🦊نور', bio: 'مرحبا! 123 abc' });
  await match(a, own, b, other);
  const stranger = await join(b, server, 'Stranger Layout', { fullName: LONG });
  await waitForCandidates(a, 1);
  const page = await a.newPage();
  await recordLayoutShifts(page);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  return { page, other, stranger };
}

/** The pair for all screens of a worker. */
const pairOfWorker = oncePerWorker(
  async ({ browser, server }: { browser: Browser; server: Server }) => {
    const phones = [await newPhone(browser, server.url), await newPhone(browser, server.url)] as const;
    return { pair: await makePair(...phones, server), phones };
  },
  ({ phones }) => Promise.all(phones.map((phone) => phone.close())),
);

const test = base.extend<{ pair: Pair }>({
  pair: async ({ browser, server }, use) => use((await pairOfWorker({ browser, server })).pair),
});

type Screen = { name: string; path: (pair: Pair) => string; shown: string | RegExp };

const screenAt = (path: string, shown: string | RegExp): Screen => ({ name: path, path: () => path, shown });

const screens: Screen[] = [
  screenAt('/', 'Wilhelmina'),
  screenAt('/discover', /Found \d+ compatible/),
  screenAt('/matches', '🦊'),
  screenAt('/matches/likes', 'Likes You'),
  screenAt('/matches/passed', 'Passed'),
  screenAt('/messages', '🦊'),
  screenAt('/dates', 'No dates yet'),
  screenAt('/profile', 'About Me'),
  screenAt('/profile?tab=activity', 'Overview'),
  screenAt('/profile?tab=referrals', 'How It Works'),
  screenAt('/profile?tab=settings', 'Account Actions'),
  screenAt('/settings', 'Quiet hours'),
  screenAt('/settings?tab=appearance', 'A late evening'),
  screenAt('/settings?tab=filters', /^Show \d/),
  screenAt('/settings?tab=media', 'High quality media'),
  screenAt('/settings?tab=privacy', 'Blocked members'),
  screenAt('/perks', 'A Premium badge'),
  screenAt('/referrals', 'How It Works'),
  screenAt('/shareable-moments', 'New match'),
  screenAt('/safety', /too few to tell/),
  screenAt('/community', 'No stories yet'),
  screenAt('/graduation', 'Who are you leaving with?'),
  screenAt('/legacy-wall', 'No legacy messages yet'),
  screenAt('/media-demo', 'Your session'),
  screenAt('/no/such/page', 'Go home'),
  ...['gender', 'seek', 'photo', 'prompt'].map((step) => screenAt(`/start/${step}`, /^Step \d of 4$/)),
  { name: 'the profile of a match', path: ({ other }) => `/profile/${other.id}`, shown: 'Compatibility' },
  {
    name: 'the profile of a stranger',
    path: ({ stranger }) => `/profile/${stranger.id}`,
    shown: 'Compatibility',
  },
  { name: 'a conversation', path: ({ other }) => `/messages/${other.id}`, shown: 'Say hello' },
  { name: 'a request', path: ({ stranger }) => `/messages/${stranger.id}`, shown: 'Write to' },
];

for (const { name, path, shown } of screens) {
  test(`${name} keeps its positions while it loads, and fits every width, theme and size of text`, async ({
    pair,
  }) => {
    const { page } = pair;
    await page.setViewportSize({ width: 390, height: 844 });
    const waitUntilLoaded = trackRequests(page);
    await page.goto(path(pair));
    // The server's text of a public page is what visitors read until the app has loaded, and those without JavaScript.
    await expect(page.locator('[data-served]')).toHaveCount(0);
    await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible();
    const before = await positionsOf(page);
    await waitUntilLoaded();
    expect.soft(await positionsOf(page)).toMatchObject(before);
    expect.soft(await layoutShiftsOf(page), 'since the first paint').toEqual([]);
    expect(await findLayoutFaults(page)).toEqual([]);
  });
}

/** The widths and text sizes of the two tests below. */
const small = [
  { width: 320, height: 640, size: '100%' },
  { width: 390, height: 844, size: '200%' },
] as const;

type Size = { width: number; height: number; size: string };

async function resize(page: Page, { width, height, size }: Size): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize;
  }, size);
}

test('the card and its buttons stand above the bottom bar on a small phone and with large text', async ({
  pair: { page },
}) => {
  await page.goto('/');
  const card = page.getByTestId('top-card');
  await expect(card.getByRole('heading')).toBeVisible();
  for (const at of small) {
    await resize(page, at);
    const bottoms = await page.evaluate(() => {
      const bottomOf = (element: Element | null | undefined) => element?.getBoundingClientRect().bottom ?? 0;
      const texts = [...document.querySelectorAll('[data-testid=top-card] :is(h2, li, p)')];
      return {
        texts: Math.max(...texts.filter((text) => text.checkVisibility()).map(bottomOf)),
        card: bottomOf(document.querySelector('[data-testid=top-card]')),
        buttons: bottomOf(document.querySelector('button[title=Like]')),
        bar: document.querySelector('.hw-bottombar')?.getBoundingClientRect().top ?? 0,
      };
    });
    expect(bottoms.texts, `${at.width} px, ${at.size}`).toBeLessThan(bottoms.card);
    expect(bottoms.buttons, `${at.width} px, ${at.size}`).toBeLessThanOrEqual(bottoms.bar);
  }
});

test('the text field and its buttons stay in one row on a small phone and with large text', async ({
  pair: { page, other },
}) => {
  await page.goto(`/messages/${other.id}`);
  const field = page.getByRole('textbox', { name: /^Message to/ });
  await expect(field).toBeEditable();
  for (const at of small) {
    await resize(page, at);
    const bottomOf = async (locator: typeof field) => {
      const box = await locator.boundingBox();
      return Math.round(box ? box.y + box.height : Number.NaN);
    };
    const bottom = await bottomOf(page.getByRole('button', { name: 'Send message' }));
    expect(await bottomOf(page.getByRole('button', { name: 'Record a voice message' })), at.size).toBe(
      bottom,
    );
    expect(Math.abs((await bottomOf(field)) - bottom), at.size).toBeLessThanOrEqual(1);
  }
});

test("the conversation's head has room for one more icon beside the menu", async ({
  pair: { page, other },
}) => {
  await page.goto(`/messages/${other.id}`);
  const actions = page.getByTestId('conversation-actions');
  await expect(actions.getByRole('button')).toHaveCount(1);
  await actions.evaluate((box) => box.prepend(box.children[0]?.cloneNode(true) ?? ''));
  await expect(actions.getByRole('button')).toHaveCount(2);
  for (const at of [...small, { width: 320, height: 640, size: '200%' }]) {
    await resize(page, at);
    const head = await actions.evaluate((box) => {
      const name = document.querySelector('h2 .truncate');
      const icons = [...box.children].map((icon) => icon.getBoundingClientRect());
      return {
        isNameCut: !name || name.scrollWidth > name.clientWidth,
        rows: new Set(icons.map(({ top }) => top)).size,
        smallest: Math.min(...icons.map(({ width }) => width)),
        isOutside: icons.some(({ right }) => right > innerWidth),
      };
    });
    expect(head, `${at.width} px, ${at.size}`).toEqual({
      isNameCut: false,
      rows: 1,
      smallest: expect.any(Number),
      isOutside: false,
    });
    expect(head.smallest, `${at.width} px, ${at.size}`).toBeGreaterThanOrEqual(44);
  }
});

test('a count of three digits stays in one line beside its icon', async ({ pair: { page } }) => {
  await page.goto('/messages');
  const count = page
    .getByRole('link', { name: /^Notifications, \d+ unread$/ })
    .locator('span')
    .last();
  await expect(count).toHaveText(/^\d$/);
  const height = (await count.boundingBox())?.height;
  expect(
    await count.evaluate((badge) => {
      badge.textContent = '99+';
      const digits = document.createRange();
      digits.selectNodeContents(badge);
      return { height: badge.getBoundingClientRect().height, lines: digits.getClientRects().length };
    }),
  ).toEqual({ height, lines: 1 });
});

test('the pane beside the conversations fits its texts and its picture at double size', async ({
  pair: { page },
}) => {
  await page.goto('/messages');
  await resize(page, { width: 768, height: 1024, size: '200%' });
  const hint = page.getByText('Select a conversation');
  await expect(hint).toBeVisible();
  expect(
    await hint.evaluate((text) => {
      const pane = text.closest('.overflow-y-auto');
      return pane && pane.scrollWidth - pane.clientWidth;
    }),
  ).toBe(0);
});

test('the labels of the top navigation are whole with text of double size', async ({ pair: { page } }) => {
  await page.goto('/matches');
  await resize(page, { width: 768, height: 1024, size: '200%' });
  const labels = page.getByRole('navigation', { name: 'Main' }).locator('.truncate:visible');
  await expect(labels).toHaveCount(5);
  expect(
    await labels.evaluateAll((all) => all.filter((label) => label.scrollWidth > label.clientWidth).length),
  ).toBe(0);
});

test('the introduction of Discover stands beside its picture with text of double size', async ({
  pair: { page },
}) => {
  const title = page.getByRole('heading', { name: 'Someone worth an unhurried evening' });
  await page.goto('/discover');
  await expect(title).toBeVisible();
  // The introduction has no picture below the invitation to finish the profile, nor on a later visit.
  await page.evaluate(() => {
    localStorage.setItem('hw.start-dismissed', '1');
    localStorage.removeItem('hw.discover-seen');
  });
  await page.reload();
  await expect(title).toBeVisible();
  await resize(page, { width: 768, height: 1024, size: '200%' });
  expect(
    await title.evaluate((text) => {
      const picture = text.closest('section')?.querySelector('svg')?.getBoundingClientRect();
      return picture && picture.left - text.getBoundingClientRect().right;
    }),
  ).toBeGreaterThanOrEqual(0);
  await page.evaluate(() => localStorage.removeItem('hw.start-dismissed'));
});

test('a sentence of the app in the list of conversations names the other member in full, with text of double size', async ({
  pair: { page },
}) => {
  await page.goto('/messages');
  const line = page.getByText(/^Say hello to/);
  await expect(line).toBeVisible();
  for (const at of [...small, { width: 768, height: 1024, size: '200%' }]) {
    await resize(page, at);
    expect(await line.evaluate((text) => text.scrollWidth - text.clientWidth), at.size).toBeLessThanOrEqual(
      0,
    );
  }
});

test('the name and the age of a match are not cut on a small phone', async ({ pair: { page } }) => {
  await page.goto('/matches');
  const name = page.locator('article h2 bdi').first();
  await name.evaluate((text) => {
    text.textContent = 'Wilhelmina';
  });
  for (const at of small) {
    await resize(page, at);
    const overflow = await name.evaluate(({ parentElement: line }) =>
      line ? line.scrollWidth - line.clientWidth : Number.NaN,
    );
    expect(overflow, `${at.width} px, ${at.size}`).toBeLessThanOrEqual(0);
  }
});

test('heads and toasts keep their words whole on a small phone with text of double size', async ({
  phoneA,
  server,
}) => {
  const page = await phoneA.newPage();
  const expectWholeWords = async (shown: Locator) => {
    await resize(page, { width: 320, height: 640, size: '200%' });
    await expect(shown).toBeVisible();
    expect(await shown.evaluate(findBrokenWords)).toEqual([]);
  };
  await page.goto('/login');
  await expectWholeWords(page.getByRole('link', { name: 'Heartward' }));
  await page.setViewportSize({ width: 390, height: 844 });
  await signUpToStart(page, server, 'Ann Words');
  await page.locator('.hw-toast').hover();
  await expectWholeWords(page.locator('.hw-toast'));
  const head = await page.getByRole('heading', { name: 'Who are you?' }).boundingBox();
  const toast = await page.locator('.hw-toast').boundingBox();
  expect(toast?.y, 'it does not cover the question').toBeGreaterThan((head?.y ?? 0) + (head?.height ?? 0));
  await answerAndLeave(page);
  await page.goto('/profile?tab=settings');
  await expectWholeWords(page.locator('section', { hasText: 'Welcome back to Heartward' }));
});

for (const [path, shown] of [
  ['/', 'The door is open.'],
  ['/signup', 'Create My Profile'],
  ['/login', 'Welcome Back'],
  ['/login?deleted', 'Goodbye for now'],
] as const) {
  test(`${path}, signed out, fits every width, theme and size of text`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByText(shown).first()).toBeVisible();
    expect(await findLayoutFaults(page)).toEqual([]);
  });
}
