import { expect } from '@playwright/test';
import { readDeviceStorage } from '../support/device.ts';
import { codeFor, newEmail } from '../support/phones.ts';
import { Partner } from './partner.ts';
import { button, ENTER, field, heading, link, Tab } from './tab.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { test as base } from './test.ts';

const { step } = base;

const test = base.extend<{ network: TcpProxy }>({
  network: async ({ server }, use) => {
    const proxy = await TcpProxy.start(server.port);
    await use(proxy);
    await proxy.disconnect();
  },
});

const name = 'Mira Sandoval';

/** WebKit's warnings about every page: it does not support these two parts of index.html and its policy. */
const unknownToWebKit = [/directive 'manifest-src'/, /argument key "interactive-widget"/];
/** The warnings of WebKit and of Firefox about preloaded files on a slow machine. */
const preloadedEarly = [/preloaded (using|with) link preload (but|was) not used within a few seconds/];
/** Firefox's error about a page that is left while its socket is open. */
const leftWhileConnected = [/connection to \S+\/ws was interrupted while the page was loading/];
/** Errors of a page that cannot connect, or that is left while it connects. */
const socketFailed = [/WebSocket connection to .* failed/, /can’t establish a connection to .*\/ws/];
/** Errors of a page whose requests were aborted because another page was opened. */
const aborted = [
  /[Cc]annot load \S+ due to access control checks/,
  /Script \S+\/sw\.js load failed/,
  /ServiceWorker intercepted the request and encountered an unexpected error/,
  /error loading dynamically imported module/,
  // Firefox, about a picture of which a part had arrived.
  /Image corrupt or truncated/,
  // The app's warning about it, in WebKit.
  /could not be loaded; it is requested again later TypeError: Importing a module script failed/,
];

const bubbles = { css: '[data-testid=bubble-text]' };
const tick = (state: string) => ({ css: `[data-client-id] [data-tick=${state}]` });
const skeletons = { css: '.animate-skeleton[aria-hidden]' };

/** Screens of a member who has one match and one conversation, and a text that each shows once it is loaded. */
const screens = (partnerId: string, partner: string): [path: string, text: string][] => [
  ['/messages', partner],
  ['/matches', `${partner}, `],
  ['/messages', partner],
  ['/', 'matches'],
  ['/matches', `${partner}, `],
  [`/messages/${partnerId}`, 'Hello from the other side'],
  ['/messages', partner],
  ['/discover', 'compatible matches'],
  ['/matches/likes', 'Likes You'],
  ['/messages', partner],
  ['/profile', name],
  ['/settings?tab=filters', 'Age'],
  ['/settings?tab=privacy', 'Incognito'],
  ['/dates', 'Your dates'],
  [`/profile/${partnerId}`, partner],
  ['/referrals', 'Referrals'],
];

test('a member signs up, matches, writes, queues messages offline, loads screens quickly and signs out', async ({
  engine,
  network,
  server,
  request,
}) => {
  test.setTimeout(360_000); // the length of ten other tests
  const tab = new Tab(engine, network.url);
  const expectThread = (expected: string[]) =>
    tab.until(`the thread is ${expected.join(' | ')}`, async () => {
      return JSON.stringify(await tab.texts(bubbles)) === JSON.stringify(expected);
    });
  const waitForScreen = (text: string) =>
    tab.until(`no skeleton, and "${text}"`, async () => {
      return (await tab.texts(skeletons)).length === 0 && (await tab.text()).includes(text);
    });

  /** Fails for each console error since the last call that is not allowed. */
  const expectNoConsoleErrors = (...allowed: RegExp[]) => {
    const patterns = [...unknownToWebKit, ...preloadedEarly, ...leftWhileConnected, ...allowed];
    const unexpected = engine.consoleErrors
      .splice(0)
      .filter((error) => !patterns.some((pattern) => pattern.test(error)));
    expect(unexpected).toEqual([]);
  };

  const id = await step('signs up by a mailed code', async () => {
    const email = newEmail(name);
    await tab.open('/signup');
    await tab.type(field('Full Name'), name);
    await tab.type(field('Email'), email);
    await tab.type(field('Age'), '29');
    await tab.type(field('City'), 'Portland');
    await tab.click({ css: '[role=option]', name: 'Portland, Oregon' });
    await tab.type(field('Bio/Reflection'), 'Slow mornings and long letters.');
    await tab.click(field(/Honor Code/));
    await tab.click(button('Create My Profile'));
    await tab.type(field('Your code'), await codeFor(server, email));
    await tab.waitForText('Welcome to Heartward');
    await tab.click(button('Woman'));
    await tab.click(button('Everyone'));
    await tab.click(link('Finish later'));
    await waitForScreen('compatible matches');
    const [row] = await server.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);
    if (!row) throw new Error('no account was made');
    expectNoConsoleErrors();
    return row.id;
  });

  const partner = await step('likes a member who likes back, and both match', async () => {
    await tab.click(link('For You'));
    await tab.waitFor({ css: '[data-testid=top-card]' });
    await tab.click(button('Like'));
    const partner = await Partner.likedBy(id, server, request);
    await partner.like(id);
    await tab.waitForText("It's a Match!");
    await tab.click(button('Tap anywhere to continue'));
    expectNoConsoleErrors();
    return partner;
  });
  const [{ firstName } = { firstName: '' }] = await server.query<{ firstName: string }>(
    'SELECT first_name AS "firstName" FROM users WHERE id = $1',
    [partner.id],
  );

  const texts = [`Hello from ${test.info().project.name}`];
  await step('writes, and sees ticks and the reply at once', async () => {
    await tab.click(link(/^Matches/));
    await tab.click(link(`Message ${firstName}`));
    await tab.type(field(`Message to ${firstName}`), texts[0] ?? '');
    await tab.press(ENTER);
    await expectThread(texts);
    await tab.waitFor(tick('sent'));
    await partner.read(id, texts);
    await tab.waitFor(tick('read'));
    texts.push('Hello from the other side');
    await partner.write(id, 'Hello from the other side');
    await expectThread(texts);
    expectNoConsoleErrors();
  });

  await step(
    'writes offline, starts the app again, and the messages are sent once and in order',
    async () => {
      await tab.until('the service worker controls the page', () =>
        engine.call(() => navigator.serviceWorker.controller?.state === 'activated'),
      );
      await network.disconnect();
      for (const text of ['written offline', 'and one more']) {
        texts.push(text);
        await tab.type(field(`Message to ${firstName}`), text);
        await tab.press(ENTER);
        await expectThread(texts);
      }
      await tab.until('both wait', async () => (await tab.texts(tick('waiting'))).length === 2);
      await engine.reload();
      await expectThread(texts);
      await tab.until('both wait', async () => (await tab.texts(tick('waiting'))).length === 2);
      await network.connect();
      await partner.read(id, texts);
      await tab.until('none waits', async () => (await tab.texts(tick('waiting'))).length === 0);
      await expectThread(texts);
      expectNoConsoleErrors(...socketFailed, ...aborted);
    },
  );

  await step('loads screens in quick succession without a missing text', async () => {
    for (const [path, text] of screens(partner.id, firstName)) {
      await tab.open(path);
      await waitForScreen(text);
    }
    expect(await tab.text(), 'nothing was released').not.toContain('A new version of Heartward');
    expectNoConsoleErrors(...socketFailed, ...aborted);
  });

  await step('signs out, and Back shows nothing of the member', async () => {
    await tab.open('/matches');
    await waitForScreen(firstName);
    await tab.click(link(/^Messages/));
    await waitForScreen(texts.at(-1) ?? '');
    await tab.click(link('Profile'));
    await tab.click({ css: '[role=tab]', name: 'Settings' });
    await tab.waitFor(button('Sign Out'));
    const secrets = [name, 'Mira', id, partner.id, ...texts];
    await engine.call(logErrorWhenShown, secrets);
    await tab.click(button('Sign Out'));
    await tab.waitFor(heading('The door is open.'));
    const stored = await engine.call(readDeviceStorage);
    for (const secret of secrets) expect(stored).not.toContain(secret);
    for (let entry = 0; entry < 3; entry += 1) {
      await engine.back();
      const outcome = await tab.until('the page to sign in, or the landing page', async () => {
        const { html, text } = await engine.call(readPage);
        const found = secrets.filter((secret) => html.includes(secret));
        return found.length > 0 || /Welcome Back|The door is open/.test(text) ? { found } : null;
      });
      expect(outcome.found, 'what Back shows').toEqual([]);
    }
    expectNoConsoleErrors(...socketFailed, ...aborted);
  });
});

/** In the page: logs an error if the page is shown again with one of these texts. */
function logErrorWhenShown(secrets: string[]): void {
  addEventListener('pageshow', () => {
    const shown = secrets.filter((secret) => document.body.innerHTML.includes(secret));
    if (shown.length) console.error(`a page of the back/forward cache shows ${shown}`);
  });
}

function readPage(): { html: string; text: string } {
  const { innerHTML, textContent } = document.body;
  return { html: innerHTML, text: textContent };
}
