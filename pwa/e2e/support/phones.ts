import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
} from '@playwright/test';
import type { Server } from './server.ts';

/** With the app installed: it works offline and takes pushes. Installing costs more than most tests. */
export const withWorker = { serviceWorkers: 'allow' } as const;

/**
 * A phone of its own: 390×844, touch, nothing stored; one pixel a pixel, because two make four to paint. Its
 * service worker is blocked, unless `withWorker` is given.
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
  if (serviceWorkers === 'block') await phone.addInitScript(neverInstall);
  return phone;
}

/** In the page: the app is about to be installed, and nothing comes of it. (Blocked by the browser, it would complain.) */
function neverInstall(): void {
  navigator.serviceWorker.register = () => new Promise(() => undefined);
}

export type Person = { id: string; email: string; fullName: string };

let people = 0;

/** An address nobody has used in this run. */
export function newAddress(name: string): string {
  people += 1;
  return `${name.toLowerCase().replaceAll(/\W+/g, '.')}.${process.pid}.${people}@example.test`;
}

/** The eight digits of the newest mail to an address. */
export async function codeFor(server: Server, email: string): Promise<string> {
  const code = /\b\d{8}\b/.exec((await server.mail(email)).text)?.[0];
  if (!code) throw new Error(`the mail to ${email} holds no code`);
  return code;
}

/** Signs somebody up through the API in this phone's cookie jar. */
export async function join(
  phone: BrowserContext,
  server: Server,
  fullName: string,
  more: Record<string, unknown> = {},
): Promise<Person> {
  const email = newAddress(fullName);
  const asked = await phone.request.post('/api/auth/code', { data: { email } });
  expect(asked.status()).toBe(202);
  const answer = await phone.request.post('/api/users', {
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
  expect(answer.status(), await answer.text()).toBe(201);
  return { id: ((await answer.json()) as { id: string }).id, email, fullName };
}

/** Makes two signed-in phones match, through the API. */
export async function match(a: BrowserContext, one: Person, b: BrowserContext, other: Person): Promise<void> {
  await like(a, other);
  expect(await like(b, one)).toBe(true);
}

async function like(phone: BrowserContext, to: Person): Promise<boolean> {
  const answer = await phone.request.post('/api/likes', { data: { toUserId: to.id, likeType: 'like' } });
  expect(answer.ok(), await answer.text()).toBe(true);
  return ((await answer.json()) as { isMatch: boolean }).isMatch;
}

type Pair = { a: BrowserContext; b: BrowserContext; ann: Person; ben: Person };

type PairOptions = {
  /** The address by which Ann's phone reaches the server. */
  addressA?: string;
  /** Whose phone has the app installed. */
  installedOn?: 'a' | 'b' | 'neither';
};

/** Ann and Ben, matched; on Ann's phone the app is installed, unless it is told otherwise. */
export async function pair(browser: Browser, server: Server, options: PairOptions = {}): Promise<Pair> {
  const { addressA = server.url, installedOn = 'a' } = options;
  const a = await newPhone(browser, addressA, installedOn === 'a' ? withWorker : {});
  const b = await newPhone(browser, server.url, installedOn === 'b' ? withWorker : {});
  const ann = await join(a, server, 'Ann Harper');
  const ben = await join(b, server, 'Ben Lowe');
  await match(a, ann, b, ben);
  return { a, b, ann, ben };
}

/** Opens the conversation with somebody and waits until one can write. */
export async function openConversation(phone: BrowserContext, other: Person): Promise<Page> {
  const page = await phone.newPage();
  await page.goto(`/messages/${other.id}`);
  await expect(composer(page)).toBeEditable();
  return page;
}

export function composer(page: Page) {
  return page.getByRole('textbox', { name: /^Message / });
}

export async function write(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
  await expect(composer(page)).toHaveValue('');
}

/** The texts of all bubbles, from the oldest to the newest. */
export async function bubbles(page: Page): Promise<string[]> {
  return page.getByTestId('bubble-text').allTextContents();
}

/** The ticks at the member's own bubbles that stand at this state. */
export function ticks(page: Page, state: 'waiting' | 'failed' | 'sent' | 'delivered' | 'read') {
  return page.locator(`[data-client-id] [data-tick="${state}"]`);
}

/** Waits until the app shell is stored and the next start needs no network. */
export async function installed(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration()) !== undefined), {
      message: 'the worker is registered; a phone made withWorker has one',
    })
    .toBe(true);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

/** Makes the codes of an address six minutes older, so that the next mail brings another code. */
export async function sixMinutesLater(server: Server, email: string): Promise<void> {
  await server.query(
    `UPDATE login_codes SET created_at = created_at - interval '6 minutes', sent_at = sent_at - interval '6 minutes',
      expires_at = expires_at - interval '6 minutes' WHERE email = $1`,
    [email],
  );
}

/** Waits for a code to this address that is none of those before. */
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

/** Signs somebody who has an account in on one more phone, through the API. */
export async function signInOn(phone: BrowserContext, server: Server, person: Person): Promise<void> {
  await sixMinutesLater(server, person.email);
  const before = await codeFor(server, person.email);
  await phone.request.post('/api/auth/code', { data: { email: person.email } });
  const code = await nextCode(server, person.email, before);
  const answer = await phone.request.post('/api/auth/login', { data: { email: person.email, code } });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** The close codes of the sockets of this phone's pages, as they come. Call before the first page. */
export async function watchSockets(phone: BrowserContext): Promise<number[]> {
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

/** Celebrations on these phones stay until they are dismissed. Tests of their duration set the clock instead. */
export async function holdCelebrations(...phones: BrowserContext[]): Promise<void> {
  for (const phone of phones) await phone.addInitScript(delayCelebrationEnd);
}

/** In the page: extends the three seconds of a celebration, which a busy machine needs to draw it, to a minute. */
export function delayCelebrationEnd(): void {
  const start = window.setTimeout.bind(window);
  const delayed = (work: TimerHandler, delay?: number, ...rest: unknown[]) =>
    start(work, delay && delay >= 2500 && delay <= 3500 ? 60_000 : delay, ...rest);
  window.setTimeout = delayed as typeof window.setTimeout;
}
