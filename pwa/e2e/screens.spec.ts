import type { Browser, BrowserContext, Page } from '@playwright/test';
import { expectReadableInEveryTheme } from './support/axe.ts';
import { expect, type Ids, signInAsDemo, test as withDemo } from './support/demo.ts';
import { newPhone } from './support/phones.ts';
import type { Server } from './support/server.ts';

type Screen = {
  name: string;
  signedOut?: true;
  path: (ids: Ids) => string;
  /** True once everything is drawn. */
  ready: (page: Page) => Promise<void>;
};

/** One phone of the demo member for all screens of a worker: what it fetched once is there for the next. */
const test = withDemo.extend<object, { demo: { phone: BrowserContext; ids: Ids } }>({
  demo: [
    async ({ browser, server }, use) => {
      const phone = await newPhone(browser, server.url);
      await watchPolicy(phone);
      await use({ phone, ids: await signInAsDemo(phone) });
      await phone.close();
    },
    { scope: 'worker' },
  ],
});

const heading = (name: string | RegExp) => (page: Page) =>
  expect(page.getByRole('heading', { name }).first()).toBeVisible();

const screens: Screen[] = [
  { name: 'landing', signedOut: true, path: () => '/', ready: heading('The door is open.') },
  { name: 'sign-up', signedOut: true, path: () => '/signup', ready: heading('Create Your Profile') },
  { name: 'login', signedOut: true, path: () => '/login', ready: heading('Welcome Back') },
  {
    name: 'for you',
    path: () => '/',
    ready: (page) => expect(page.getByTestId('top-card').getByRole('img').first()).toBeVisible(),
  },
  { name: 'discover', path: () => '/discover', ready: heading(/Found \d+ compatible match/) },
  {
    name: 'matches',
    path: () => '/matches',
    ready: (page) => expect(page.getByRole('link', { name: /^Message/ }).first()).toBeVisible(),
  },
  { name: 'likes you', path: () => '/matches/likes', ready: heading('Likes You') },
  { name: 'passed', path: () => '/matches/passed', ready: heading(/^Nobody passed$|^Passed$/) },
  {
    name: "a member's menu",
    path: () => '/matches',
    ready: async (page) => {
      await page
        .getByRole('button', { name: /^Options for/ })
        .first()
        .click();
      await expect(page.getByRole('button', { name: /^Unmatch/ })).toBeVisible();
    },
  },
  {
    name: 'report',
    path: () => '/matches',
    ready: async (page) => {
      await page
        .getByRole('button', { name: /^Options for/ })
        .first()
        .click();
      await page.getByRole('button', { name: /^Report/ }).click();
      await page.getByText('Hurt me or someone else in person').click();
      await expect(page.getByText('RAINN')).toBeVisible();
    },
  },
  {
    name: 'messages',
    path: () => '/messages',
    ready: (page) => expect(page.getByRole('searchbox')).toBeVisible(),
  },
  {
    name: 'conversation',
    path: ({ conversation }) => `/messages/${conversation}`,
    ready: (page) => expect(page.getByTestId('bubble-text').first()).toBeVisible(),
  },
  { name: 'profile', path: () => '/profile', ready: heading('About Me') },
  {
    name: 'settings',
    path: () => '/profile',
    ready: async (page) => {
      await page.getByRole('tab', { name: 'Settings' }).click();
      await expect(page.getByText('This device', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'activity',
    path: () => '/profile?tab=activity',
    ready: (page) => expect(page.getByText('A friend joined through your link.').first()).toBeVisible(),
  },
  { name: 'media demo', path: () => '/media-demo', ready: heading('Your session') },
  { name: 'referrals', path: () => '/referrals', ready: heading('Recent Referrals') },
  {
    name: 'premium',
    path: () => '/perks',
    ready: (page) => expect(page.getByText(/^Thank you/)).toBeVisible(),
  },
  {
    name: 'profile editor',
    path: () => '/profile',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Edit Profile' }).click();
      await expect(page.getByRole('dialog').getByRole('img').first()).toBeVisible();
    },
  },
  {
    name: 'first run',
    path: () => '/start',
    ready: (page) => expect(page.getByText(/Step \d of 5/)).toBeVisible(),
  },
  {
    name: 'another member',
    path: ({ member }) => `/profile/${member}`,
    ready: heading('Compatibility'),
  },
  ...['notifications', 'appearance', 'filters', 'privacy'].map(
    (tab): Screen => ({
      name: `settings, ${tab}`,
      path: () => `/settings?tab=${tab}`,
      ready: (page) => expect(page.getByRole('tabpanel').getByRole('heading').first()).toBeVisible(),
    }),
  ),
  { name: 'no such page', path: () => '/no/such/page', ready: heading('Page Not Found') },
];

/** Everything that goes wrong on a page without being seen. */
function complaintsOf(page: Page, signedOut: boolean): string[] {
  const complaints: string[] = [];
  // The browser itself reports the 401 by which the app learns that nobody is signed in, and the 404 of an unknown page.
  const isExpected = (url: string) =>
    (signedOut && url.endsWith('/api/auth/user')) || url.endsWith('/no/such/page');
  page.on('console', (message) => {
    if ((message.type() === 'error' || message.type() === 'warning') && !isExpected(message.location().url))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // The app takes back itself what it no longer wants to know, such as a count for filters that changed.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${request.url()} failed: ${reason}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400 && !isExpected(response.url()))
      complaints.push(`${response.url()} ${response.status()}`);
  });
  return complaints;
}

/** A violated content policy is told to the document; keep it where the test finds it. */
async function watchPolicy(phone: BrowserContext): Promise<void> {
  await phone.addInitScript(() => {
    const violations: string[] = [];
    Object.assign(globalThis, { policyViolations: violations });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      violations.push(`${violatedDirective} ${blockedURI} ${sample}`),
    );
  });
}

const violationsOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { policyViolations: string[] }).policyViolations);

/** Scrolls through, so that pictures that wait for it load, and names those that did not arrive. */
async function missingPictures(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // What another width shows is not loaded before it is shown.
    const images = [...document.images].filter((image) => image.checkVisibility());
    for (const image of images) {
      image.scrollIntoView();
      if (!image.complete)
        await new Promise((done) => {
          image.onload = image.onerror = done;
        });
    }
    scrollTo(0, 0);
    return images.filter((image) => image.naturalWidth === 0).map((image) => image.src);
  });
}

/** What sticks out at the right of the window, if it can be scrolled to. */
async function widerThanWindow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** A phone that holds nothing. */
async function strangersPhone(browser: Browser, server: Server): Promise<BrowserContext> {
  const phone = await newPhone(browser, server.url);
  await watchPolicy(phone);
  return phone;
}

for (const screen of screens) {
  test(`${screen.name}: readable for all in every theme, fits every window, and is quiet`, async ({
    browser,
    server,
    demo,
  }) => {
    const phone = screen.signedOut ? await strangersPhone(browser, server) : demo.phone;
    const page = await phone.newPage();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const complaints = complaintsOf(page, screen.signedOut === true);
    await page.goto(screen.path(demo.ids));
    await screen.ready(page);
    expect(await missingPictures(page)).toEqual([]);

    await expectReadableInEveryTheme(page);
    for (const [width, height] of [
      [320, 568],
      [390, 844],
      [768, 1024],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect.soft(await widerThanWindow(page), `at ${width}`).toBe(0);
    }
    expect.soft(complaints).toEqual([]);
    expect.soft(await violationsOf(page)).toEqual([]);
    await (screen.signedOut ? phone : page).close();
  });
}
