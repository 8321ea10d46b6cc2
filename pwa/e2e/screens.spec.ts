import type { Browser, BrowserContext, Page } from '@playwright/test';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { expect, type Ids, signInAsDemo, test as withDemo } from './support/demo.ts';
import { oncePerWorker } from './support/once.ts';
import { newPhone } from './support/phones.ts';
import type { Server } from './support/server.ts';

type Screen = {
  name: string;
  signedOut?: true;
  path: (ids: Ids) => string;
  /** Resolves once everything is drawn. */
  ready: (page: Page) => Promise<void>;
};

type Demo = { phone: BrowserContext; ids: Ids };

/** The demo member's phone for all screens of a worker, so that data is fetched once. */
const demoOfWorker = oncePerWorker(
  async ({ browser, server }: { browser: Browser; server: Server }): Promise<Demo> => {
    const phone = await newPhone(browser, server.url);
    await recordViolations(phone);
    return { phone, ids: await signInAsDemo(phone) };
  },
  ({ phone }) => phone.close(),
);

const test = withDemo.extend<{ demo: Demo }>({
  demo: async ({ browser, server }, use) => use(await demoOfWorker({ browser, server })),
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
  {
    name: 'notifications',
    path: () => '/notifications',
    ready: (page) => expect(page.getByRole('link', { name: /likes? you/ }).first()).toBeVisible(),
  },
  { name: 'likes you', path: () => '/matches/likes', ready: heading('Likes You') },
  { name: 'passed', path: () => '/matches/passed', ready: heading(/^No recent passes$|^Passed$/) },
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
  { name: 'demos', path: () => '/demo', ready: heading('Demos') },
  {
    name: 'messaging demo',
    path: () => '/messaging-demo',
    ready: async (page) => {
      await page.getByRole('button', { name: /Maya/ }).click();
      await page.getByRole('textbox', { name: 'Message to Maya' }).fill('Hello');
      await page.keyboard.press('Enter');
      await expect(page.getByText('That made my day.')).toBeVisible();
    },
  },
  { name: 'sparks demo', path: () => '/connection-sparks-demo', ready: heading('Played') },
  { name: 'test', path: () => '/test', ready: heading('The app is working') },
  { name: 'badges', path: () => '/badges', ready: heading('Your Achievements') },
  {
    name: 'the celebration of a badge',
    path: () => '/badges',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Simulate Badge Earn' }).click();
      await expect(page.getByRole('dialog')).toContainText('It awards nothing.');
    },
  },
  { name: 'referrals', path: () => '/referrals', ready: heading('Recent Referrals') },
  {
    name: 'premium',
    path: () => '/perks',
    ready: (page) => expect(page.getByText(/^Thank you/)).toBeVisible(),
  },
  {
    name: 'moments',
    path: () => '/shareable-moments',
    ready: (page) => expect(page.getByRole('img', { name: /^Picture:/ }).first()).toBeVisible(),
  },
  {
    name: 'sharing the referral link',
    path: () => '/referrals',
    ready: async (page) => {
      await page.getByRole('button', { name: 'More ways' }).click();
      await expect(page.getByRole('button', { name: 'Copy Link', exact: true })).toBeVisible();
    },
  },
  {
    name: 'sign-up with a code',
    signedOut: true,
    path: () => '/signup?ref=ABCD2345',
    ready: (page) => expect(page.getByRole('textbox', { name: /^Invitation code/ })).toHaveValue('ABCD2345'),
  },
  {
    name: 'safety center',
    path: () => '/safety',
    ready: (page) => expect(page.getByText(/too few to tell/)).toBeVisible(),
  },
  {
    name: 'reports and decisions',
    path: () => '/decisions',
    ready: (page) => expect(page.getByText('There are none.')).toBeVisible(),
  },
  {
    name: 'love pulse',
    path: () => '/love-pulse',
    ready: async (page) => {
      await expect(page.getByRole('button', { name: "Save Today's Pulse" })).toBeVisible();
      await page.getByText('A year ago today').click();
      await expect(page.getByRole('option', { selected: true })).toBeVisible();
    },
  },
  {
    name: 'love pulse, the year as a table',
    path: () => '/love-pulse',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Show as a table' }).click();
      await expect(page.getByRole('cell', { name: 'Hopeful' }).first()).toBeVisible();
    },
  },
  {
    name: 'community',
    path: () => '/community',
    ready: (page) => expect(page.getByRole('button', { name: /^Like/ }).first()).toBeVisible(),
  },
  { name: 'graduation', path: () => '/graduation', ready: heading('Who are you leaving with?') },
  {
    name: 'legacy wall',
    path: () => '/legacy-wall',
    // Not in the text of the document.
    ready: (page) => expect(page.getByRole('link', { name: 'Graduate together' })).toBeVisible(),
  },
  {
    name: 'legacy wall, signed out',
    signedOut: true,
    path: () => '/legacy-wall',
    ready: (page) => expect(page.getByRole('link', { name: 'Join Heartward' })).toBeVisible(),
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
    ready: (page) => expect(page.getByText(/Step \d of 4/)).toBeVisible(),
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

/** Collects the page's console errors, failed requests and error responses from now on. */
function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  // The browser reports the 404 of an unknown page as an error.
  const isExpected = (url: string) => url.endsWith('/no/such/page');
  page.on('console', (message) => {
    if ((message.type() === 'error' || message.type() === 'warning') && !isExpected(message.location().url))
      errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // The app itself aborts requests that became useless, such as a count for filters that changed.
    if (reason !== 'net::ERR_ABORTED') errors.push(`${request.url()} failed: ${reason}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400 && !isExpected(response.url()))
      errors.push(`${response.url()} ${response.status()}`);
  });
  return errors;
}

/** Stores the content policy violations of each page where `violationsOf` finds them. */
async function recordViolations(phone: BrowserContext): Promise<void> {
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

/** Scrolls through the page, so that lazy pictures load, and returns the addresses of those that failed. */
async function findMissingPictures(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // Pictures that only another width shows are not loaded.
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

/** Returns by how many pixels the page can be scrolled sideways. */
async function horizontalOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Returns a signed-out phone without stored data. */
async function newEmptyPhone(browser: Browser, server: Server): Promise<BrowserContext> {
  const phone = await newPhone(browser, server.url);
  await recordViolations(phone);
  return phone;
}

for (const screen of screens) {
  test(`${screen.name} passes axe in every theme, fits every width, and logs no error`, async ({
    browser,
    server,
    demo,
  }) => {
    const phone = screen.signedOut ? await newEmptyPhone(browser, server) : demo.phone;
    const page = await phone.newPage();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const errors = collectErrors(page);
    await page.goto(screen.path(demo.ids));
    await screen.ready(page);
    expect(await findMissingPictures(page)).toEqual([]);

    await expectAccessibleInEveryTheme(page);
    for (const [width, height] of [
      [320, 568],
      [390, 844],
      [768, 1024],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect.soft(await horizontalOverflow(page), `at ${width}`).toBe(0);
    }
    expect.soft(errors).toEqual([]);
    expect.soft(await violationsOf(page)).toEqual([]);
    await (screen.signedOut ? phone : page).close();
  });
}
