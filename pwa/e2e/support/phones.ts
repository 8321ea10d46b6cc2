import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
} from '@playwright/test';
import { logEvents } from './eventLog.ts';
import type { Server } from './server.ts';

/** Allows the service worker, for tests of offline use and pushes. Installing it costs more than most tests. */
export const withWorker = { serviceWorkers: 'allow' } as const;

/**
 * Returns a new phone: 390×844, touch, no stored data, one device pixel per CSS pixel because two quadruple the cost
 * of painting. Its service worker is blocked, unless `withWorker` is given.
 */
export async function newPhone(
  browser: Browser,
  baseURL: string,
  more: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const { serviceWorkers = 'block', ...rest } = more;
  const phone = await browser.newContext({
    baseURL,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    serviceWorkers: 'allow',
    locale: 'en-US',
    timezoneId: 'America/New_York',
    ...rest,
  });
  if (serviceWorkers === 'block') await phone.addInitScript(ignoreRegistration);
  logEvents(phone);
  return phone;
}

/** In the page: makes registrations stay pending. (Blocked by the browser, they would log an error.) */
function ignoreRegistration(): void {
  // A page before its first address has none.
  if ('serviceWorker' in navigator) navigator.serviceWorker.register = () => new Promise(() => undefined);
}

export type Person = { id: string; email: string; fullName: string };

let emailCount = 0;

/** For a wait that includes the delay before the next attempt of a socket or an outbox: up to 30 s after an outage. */
export const afterRestart = { timeout: 60_000 };

/** Returns an email address that is unique in this run. */
export function newEmail(name: string): string {
  emailCount += 1;
  const local = name.toLowerCase().replaceAll(/\W+/g, '.').replace(/^\./, '');
  return `${local}.${process.pid}.${emailCount}@example.test`;
}

const CODE_SUBJECT = 'Your Heartward code';

/** Returns the eight-digit code of the newest mail with a code to an address. */
export async function codeFor(server: Server, email: string): Promise<string> {
  const code = /\b\d{8}\b/.exec((await server.mail(email, CODE_SUBJECT)).text)?.[0];
  if (!code) throw new Error(`the mail to ${email} contains no code`);
  return code;
}

/** Signs up a member through the API; this phone gets the session. */
export async function join(
  phone: BrowserContext,
  server: Server,
  fullName: string,
  more: Record<string, unknown> = {},
): Promise<Person> {
  const email = newEmail(fullName);
  const codeResponse = await phone.request.post('/api/auth/code', { data: { email } });
  expect(codeResponse.status()).toBe(202);
  const response = await phone.request.post('/api/users', {
    data: {
      email,
      fullName,
      age: 31,
      city: 'Portland',
      state: 'OR',
      intentionTags: ['Long-term'],
      bio: `I am ${fullName} and I like slow mornings.`,
      loveReflection: '',
      honorCode: true,
      code: await codeFor(server, email),
      ...more,
    },
  });
  expect(response.status(), await response.text()).toBe(201);
  return { id: ((await response.json()) as { id: string }).id, email, fullName };
}

/** Makes two signed-in phones match, through the API. */
export async function match(a: BrowserContext, one: Person, b: BrowserContext, other: Person): Promise<void> {
  await like(a, other);
  expect(await like(b, one)).toBe(true);
}

async function like(phone: BrowserContext, to: Person): Promise<boolean> {
  const response = await phone.request.post('/api/likes', { data: { toUserId: to.id, likeType: 'like' } });
  expect(response.ok(), await response.text()).toBe(true);
  return ((await response.json()) as { isMatch: boolean }).isMatch;
}

export type Pair = { a: BrowserContext; b: BrowserContext; ann: Person; ben: Person };

type PairOptions = {
  /** The server's address for Ann's phone, such as that of a proxy. */
  addressA?: string;
  /** The phone whose service worker is allowed; 'a' by default. */
  workerOn?: 'a' | 'b' | 'neither';
};

/** Signs up Ann and Ben on a phone each and matches them. */
export async function pair(browser: Browser, server: Server, options: PairOptions = {}): Promise<Pair> {
  const { addressA = server.url, workerOn = 'a' } = options;
  const a = await newPhone(browser, addressA, workerOn === 'a' ? withWorker : {});
  const b = await newPhone(browser, server.url, workerOn === 'b' ? withWorker : {});
  const ann = await join(a, server, 'Ann Harper');
  const ben = await join(b, server, 'Ben Lowe');
  await match(a, ann, b, ben);
  return { a, b, ann, ben };
}

/** Opens the conversation with a member and waits until the composer is editable. */
export async function openConversation(phone: BrowserContext, other: Person): Promise<Page> {
  const page = await phone.newPage();
  await page.goto(`/messages/${other.id}`);
  await expect(composer(page)).toBeEditable();
  return page;
}

export function composer(page: Page) {
  return page.getByRole('textbox', { name: /^Message / });
}

export async function sendMessage(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
  await expect(composer(page)).toHaveValue('');
}

/** Returns the texts of all bubbles, from the oldest to the newest. */
export async function bubbles(page: Page): Promise<string[]> {
  return page.getByTestId('bubble-text').allTextContents();
}

/** The ticks in this state at the member's own bubbles. */
export function ticks(page: Page, state: 'waiting' | 'failed' | 'sent' | 'delivered' | 'read') {
  return page.locator(`[data-client-id] [data-tick="${state}"]`);
}

/** Waits until the service worker is active, so that the next start needs no network, and answers the requests of the page. */
export async function waitForServiceWorker(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration()) !== undefined), {
      message: 'the worker is registered; a phone made withWorker has one',
    })
    .toBe(true);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null), {
      message: 'the worker answers the requests of the page, and stores files',
    })
    .toBe(true);
}

/** Makes the codes of an address six minutes older, so that another code can be requested. */
export async function ageCodes(server: Server, email: string): Promise<void> {
  await server.query(
    `UPDATE login_codes SET created_at = created_at - interval '6 minutes', sent_at = sent_at - interval '6 minutes',
      expires_at = expires_at - interval '6 minutes' WHERE email = $1`,
    [email],
  );
}

/** Waits for a mailed code other than those in `before`, and returns it. */
export async function nextCode(server: Server, email: string, ...before: string[]): Promise<string> {
  let code = '';
  await expect
    .poll(async () => {
      code = await codeFor(server, email);
      return before.includes(code);
    })
    .toBe(false);
  return code;
}

/** Signs in an existing member on another phone, through the API. */
export async function signInOn(phone: BrowserContext, server: Server, person: Person): Promise<void> {
  await ageCodes(server, person.email);
  const before = await codeFor(server, person.email);
  await phone.request.post('/api/auth/code', { data: { email: person.email } });
  const code = await nextCode(server, person.email, before);
  const response = await phone.request.post('/api/auth/login', { data: { email: person.email, code } });
  expect(response.status(), await response.text()).toBe(200);
}

/** Returns a list to which the close codes of this phone's sockets are added. Call it before the first page. */
export async function recordCloseCodes(phone: BrowserContext): Promise<number[]> {
  const codes: number[] = [];
  await phone.exposeFunction('socketClosed', (code: number) => codes.push(code));
  await phone.addInitScript(() => {
    const { socketClosed } = globalThis as unknown as { socketClosed: (code: number) => void };
    const Native = globalThis.WebSocket;
    globalThis.WebSocket = class extends Native {
      constructor(...address: ConstructorParameters<typeof WebSocket>) {
        super(...address);
        this.addEventListener('close', ({ code }) => socketClosed(code));
      }
    };
  });
  return codes;
}

/** Keeps celebrations on these phones for a minute, unless they are dismissed. */
export async function keepCelebrationsOpen(...phones: BrowserContext[]): Promise<void> {
  for (const phone of phones) await phone.addInitScript(delayCelebrationEnd);
}

/**
 * In the page: extends the three seconds of a celebration to a minute; a busy machine may need the three to draw it.
 */
export function delayCelebrationEnd(): void {
  const start = window.setTimeout.bind(window);
  const delayed = (work: TimerHandler, delay?: number, ...rest: unknown[]) =>
    start(work, delay && delay >= 2500 && delay <= 3500 ? 60_000 : delay, ...rest);
  window.setTimeout = delayed as typeof window.setTimeout;
}
