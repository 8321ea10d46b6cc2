import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { json } from '@/offline/testkit.ts';
import { DraftScreening } from './guard.ts';

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

let screening: DraftScreening;
beforeEach(() => {
  vi.useFakeTimers();
  checkedTexts = [];
  screening = new DraftScreening();
  return () => screening.stop();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('returns the nudge of the server', async () => {
  fakeServer(async () => json(200, { nudge }));
  expect(await screening.nudgeFor(draft('lend me 50'))).toEqual(nudge);
  fakeServer(async () => json(200, { nudge: null }));
  expect(await screening.nudgeFor(draft('hello'))).toBeNull();
});

test('checks a text once during a pause in typing, and sending it then does not wait', async () => {
  fakeServer(async (content) => json(200, { nudge: content === 'lend me 50' ? nudge : null }));
  for (const text of ['l', 'lend', 'lend me 5', 'lend me 50']) {
    screening.onInput(draft(text));
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(checkedTexts, 'no check while the member types').toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(checkedTexts).toEqual(['lend me 50']);
  fakeServer(never);
  const result = screening.nudgeFor(draft('lend me 50'));
  expect(await isSettled(result)).toBe(true);
  expect(await result).toEqual(nudge);
  screening.onInput(draft('lend me 50'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(checkedTexts, 'the same text is checked once').toEqual(['lend me 50']);
});

test('a result is used only for the same text to the same member', async () => {
  fakeServer(async () => json(200, { nudge }));
  screening.onInput(draft('lend me 50'));
  await vi.advanceTimersByTimeAsync(1000);
  fakeServer(async () => json(200, { nudge: null }));
  expect(await screening.nudgeFor(draft('lend me 5'))).toBeNull();
  expect(await screening.nudgeFor({ userId: 'ann', text: 'lend me 50' })).toBeNull();
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
  screening.onInput(draft('lend me 50'));
  await vi.advanceTimersByTimeAsync(1000);
  const pendingNudge = screening.nudgeFor(draft('lend me 50'));
  await vi.advanceTimersByTimeAsync(100);
  respond(json(200, { nudge }));
  expect(await pendingNudge).toEqual(nudge);
  expect(checkedTexts).toEqual(['lend me 50']);
});

test('a rejected, invalid, interrupted or late response yields no nudge', async () => {
  for (const status of [404, 429, 500]) {
    fakeServer(async () => json(status, { title: 'No', status, detail: 'No', kind: 'internal' }));
    expect(await screening.nudgeFor(draft(`x ${status}`))).toBeNull();
  }
  fakeServer(() => Promise.reject(new TypeError('cut')));
  expect(await screening.nudgeFor(draft('y'))).toBeNull();
  fakeServer(never);
  const result = screening.nudgeFor(draft('z'));
  await vi.advanceTimersByTimeAsync(390);
  expect(await isSettled(result)).toBe(false);
  await vi.advanceTimersByTimeAsync(10);
  expect(await result).toBeNull();
});

test('a text whose check failed is checked again when it is sent', async () => {
  fakeServer(() => Promise.reject(new TypeError('cut')));
  screening.onInput(draft('lend me 50'));
  await vi.advanceTimersByTimeAsync(1000);
  fakeServer(async () => json(200, { nudge }));
  expect(await screening.nudgeFor(draft('lend me 50'))).toEqual(nudge);
});

test('does not check offline, after stop, or an empty text', async () => {
  fakeServer(async () => json(200, { nudge }));
  vi.stubGlobal('navigator', { onLine: false });
  screening.onInput(draft('x'));
  await vi.advanceTimersByTimeAsync(1000);
  const result = screening.nudgeFor(draft('x'));
  expect(await isSettled(result)).toBe(true);
  expect(await result).toBeNull();
  vi.stubGlobal('navigator', { onLine: true });
  screening.onInput(draft('x'));
  screening.onInput(draft(''));
  await vi.advanceTimersByTimeAsync(1000);
  screening.onInput(draft('x'));
  screening.stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(checkedTexts).toEqual([]);
});
