import { afterEach, expect, test, vi } from 'vitest';
import { nudgeFor } from './guard.ts';

const nudge = {
  category: 'money',
  title: 'A word about money',
  text: 'Asking for money makes many people uneasy.',
};
const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('asks what the server would ask', async () => {
  vi.stubGlobal('fetch', async () => json(200, { nudge }));
  expect(await nudgeFor('id', 'lend me 50')).toEqual(nudge);
  vi.stubGlobal('fetch', async () => json(200, { nudge: null }));
  expect(await nudgeFor('id', 'hello')).toBeNull();
});

test('never holds a message up: refused, broken, cut or late, there is nothing to ask', async () => {
  for (const status of [404, 429, 500]) {
    vi.stubGlobal('fetch', async () => json(status, { title: 'No', status, detail: 'No', kind: 'internal' }));
    expect(await nudgeFor('id', 'x')).toBeNull();
  }
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('cut')));
  expect(await nudgeFor('id', 'x')).toBeNull();
  // A server that never answers is left when the signal says so.
  vi.stubGlobal(
    'fetch',
    (request: Request, init?: RequestInit) =>
      new Promise((_, reject) => {
        const signal = init?.signal ?? request.signal;
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  expect(await nudgeFor('id', 'x')).toBeNull();
});

test('asks nothing without a network', async () => {
  const fetched = vi.fn();
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('navigator', { onLine: false });
  expect(await nudgeFor('id', 'x')).toBeNull();
  expect(fetched).not.toHaveBeenCalled();
});
