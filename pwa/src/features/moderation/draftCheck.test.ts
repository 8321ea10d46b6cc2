import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { json } from '@/offline/testkit.ts';
import { DraftChecker } from './draftCheck.ts';

const nudge = {
  category: 'money',
  title: 'A word about money',
  text: 'Asking for money makes many people uneasy.',
};
const draft = (text: string) => ({ userId: 'ben', text });

/** The texts that the fake server has checked. */
let checkedTexts: string[];
function fakeServer(respond: (content: string) => Promise<Response>): void {
  vi.stubGlobal('fetch', async (request: Request) => {
    const { content } = (await request.clone().json()) as { content: string };
    checkedTexts.push(content);
    return respond(content);
  });
}
const never = () => new Promise<Response>(() => undefined);

/** Whether a promise is settled without time passing. */
const isSettled = async (promise: Promise<unknown>) => {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return settled;
};

let checker: DraftChecker;
beforeEach(() => {
  vi.useFakeTimers();
  checkedTexts = [];
  checker = new DraftChecker();
  return () => checker.stop();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('returns the nudge of the server', async () => {
  fakeServer(async () => json(200, { nudge }));
  expect(await checker.nudgeFor(draft('lend me 50'))).toEqual(nudge);
  fakeServer(async () => json(200, { nudge: null }));
  expect(await checker.nudgeFor(draft('hello'))).toBeNull();
});

test('checks a text once during a pause in typing, and sending it then does not wait', async () => {
  fakeServer(async (content) => json(200, { nudge: content === 'lend me 50' ? nudge : null }));
  for (const text of ['l', 'lend', 'lend me 5', 'lend me 50']) {
    checker.onInput(draft(text));
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(checkedTexts, 'no check while the member types').toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(checkedTexts).toEqual(['lend me 50']);
  fakeServer(never);
  const result = checker.nudgeFor(draft('lend me 50'));
  expect(await isSettled(result)).toBe(true);
  expect(await result).toEqual(nudge);
  checker.onInput(draft('lend me 50'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(checkedTexts, 'the same text is checked once').toEqual(['lend me 50']);
});

test('a result is used only for the same text to the same member', async () => {
  fakeServer(async () => json(200, { nudge }));
  checker.onInput(draft('lend me 50'));
  await vi.advanceTimersByTimeAsync(1000);
  fakeServer(async () => json(200, { nudge: null }));
  expect(await checker.nudgeFor(draft('lend me 5'))).toBeNull();
  expect(await checker.nudgeFor({ userId: 'ann', text: 'lend me 50' })).toBeNull();
  expect(checkedTexts).toEqual(['lend me 50', 'lend me 5', 'lend me 50']);
});

test('sending during a check waits for its result and starts no second one', async () => {
  let respond: (response: Response) => void = () => undefined;
  fakeServer(
    () =>
      new Promise((resolve) => {
        respond = resolve;
      }),
  );
  checker.onInput(draft('lend me 50'));
  await vi.advanceTimersByTimeAsync(1000);
  const pendingNudge = checker.nudgeFor(draft('lend me 50'));
  await vi.advanceTimersByTimeAsync(100);
  respond(json(200, { nudge }));
  expect(await pendingNudge).toEqual(nudge);
  expect(checkedTexts).toEqual(['lend me 50']);
});

test('a rejected, invalid, interrupted or late response yields no nudge', async () => {
  for (const status of [404, 429, 500]) {
    fakeServer(async () => json(status, { title: 'No', status, detail: 'No', kind: 'internal' }));
    expect(await checker.nudgeFor(draft(`x ${status}`))).toBeNull();
  }
  fakeServer(() => Promise.reject(new TypeError('cut')));
  expect(await checker.nudgeFor(draft('y'))).toBeNull();
  fakeServer(never);
  const result = checker.nudgeFor(draft('z'));
  await vi.advanceTimersByTimeAsync(390);
  expect(await isSettled(result)).toBe(false);
  await vi.advanceTimersByTimeAsync(10);
  expect(await result).toBeNull();
});

test('a text whose check failed is checked again when it is sent', async () => {
  fakeServer(() => Promise.reject(new TypeError('cut')));
  checker.onInput(draft('lend me 50'));
  await vi.advanceTimersByTimeAsync(1000);
  fakeServer(async () => json(200, { nudge }));
  expect(await checker.nudgeFor(draft('lend me 50'))).toEqual(nudge);
});

test('does not check offline, after stop, or an empty text', async () => {
  fakeServer(async () => json(200, { nudge }));
  vi.stubGlobal('navigator', { onLine: false });
  checker.onInput(draft('x'));
  await vi.advanceTimersByTimeAsync(1000);
  const result = checker.nudgeFor(draft('x'));
  expect(await isSettled(result)).toBe(true);
  expect(await result).toBeNull();
  vi.stubGlobal('navigator', { onLine: true });
  checker.onInput(draft('x'));
  checker.onInput(draft(''));
  await vi.advanceTimersByTimeAsync(1000);
  checker.onInput(draft('x'));
  checker.stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(checkedTexts).toEqual([]);
});
