import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { json } from '@/offline/testkit.ts';
import { Judge } from './guard.ts';

const nudge = {
  category: 'money',
  title: 'A word about money',
  text: 'Asking for money makes many people uneasy.',
};
const words = (text: string) => ({ userId: 'ben', text });

/** Answers of the server in turn; what was asked is in `asked`. */
let asked: string[];
function server(answer: (content: string) => Promise<Response>): void {
  vi.stubGlobal('fetch', async (request: Request) => {
    const { content } = (await request.clone().json()) as { content: string };
    asked.push(content);
    return answer(content);
  });
}
const never = () => new Promise<Response>(() => undefined);

/** Whether a promise is settled without any time passing. */
const atOnce = async (answer: Promise<unknown>) => {
  let settled = false;
  void answer.then(() => {
    settled = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return settled;
};

let judge: Judge;
beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  judge = new Judge();
  return () => judge.stop();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('asks what the server would ask', async () => {
  server(async () => json(200, { nudge }));
  expect(await judge.nudgeFor(words('lend me 50'))).toEqual(nudge);
  server(async () => json(200, { nudge: null }));
  expect(await judge.nudgeFor(words('hello'))).toBeNull();
});

test('asks in a pause of writing, once, and sending what was judged waits for nothing', async () => {
  server(async (content) => json(200, { nudge: content === 'lend me 50' ? nudge : null }));
  for (const text of ['l', 'lend', 'lend me 5', 'lend me 50']) {
    judge.onInput(words(text));
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(asked, 'nothing while the writer writes').toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual(['lend me 50']);
  server(never);
  const answer = judge.nudgeFor(words('lend me 50'));
  expect(await atOnce(answer)).toBe(true);
  expect(await answer).toEqual(nudge);
  judge.onInput(words('lend me 50'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked, 'the same words are judged once').toEqual(['lend me 50']);
});

test('an answer is for exactly those words to that member', async () => {
  server(async () => json(200, { nudge }));
  judge.onInput(words('lend me 50'));
  await vi.advanceTimersByTimeAsync(1000);
  server(async () => json(200, { nudge: null }));
  expect(await judge.nudgeFor(words('lend me 5'))).toBeNull();
  expect(await judge.nudgeFor({ userId: 'ann', text: 'lend me 50' })).toBeNull();
  expect(asked).toEqual(['lend me 50', 'lend me 5', 'lend me 50']);
});

test('what is sent while it is being judged waits for that answer, and asks no second time', async () => {
  let answer: (response: Response) => void = () => undefined;
  server(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  judge.onInput(words('lend me 50'));
  await vi.advanceTimersByTimeAsync(1000);
  const waiting = judge.nudgeFor(words('lend me 50'));
  await vi.advanceTimersByTimeAsync(100);
  answer(json(200, { nudge }));
  expect(await waiting).toEqual(nudge);
  expect(asked).toEqual(['lend me 50']);
});

test('never holds a message up: refused, broken, cut or late, there is nothing to ask', async () => {
  for (const status of [404, 429, 500]) {
    server(async () => json(status, { title: 'No', status, detail: 'No', kind: 'internal' }));
    expect(await judge.nudgeFor(words(`x ${status}`))).toBeNull();
  }
  server(() => Promise.reject(new TypeError('cut')));
  expect(await judge.nudgeFor(words('y'))).toBeNull();
  server(never);
  const answer = judge.nudgeFor(words('z'));
  await vi.advanceTimersByTimeAsync(390);
  expect(await atOnce(answer)).toBe(false);
  await vi.advanceTimersByTimeAsync(10);
  expect(await answer).toBeNull();
});

test('what could not be judged in a pause is asked about again when it is sent', async () => {
  server(() => Promise.reject(new TypeError('cut')));
  judge.onInput(words('lend me 50'));
  await vi.advanceTimersByTimeAsync(1000);
  server(async () => json(200, { nudge }));
  expect(await judge.nudgeFor(words('lend me 50'))).toEqual(nudge);
});

test('asks nothing without a network, of nobody who left, and nothing about nothing', async () => {
  server(async () => json(200, { nudge }));
  vi.stubGlobal('navigator', { onLine: false });
  judge.onInput(words('x'));
  await vi.advanceTimersByTimeAsync(1000);
  const answer = judge.nudgeFor(words('x'));
  expect(await atOnce(answer)).toBe(true);
  expect(await answer).toBeNull();
  vi.stubGlobal('navigator', { onLine: true });
  judge.onInput(words('x'));
  judge.onInput(words(''));
  await vi.advanceTimersByTimeAsync(1000);
  judge.onInput(words('x'));
  judge.stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual([]);
});
