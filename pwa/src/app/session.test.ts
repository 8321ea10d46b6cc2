import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { enqueue } from '@/offline/outbox.ts';
import { CONVERSATION, freshDb, json, ME, PEER } from '@/offline/testkit.ts';
import { findUnsent } from '@/offline/unsent.ts';
import { meKey, queryClient } from './query.ts';
import { fetchMe, setMe } from './session.ts';

const me = { id: ME } as Parameters<typeof setMe>[0];
const signedOut = () => json(401, { kind: 'unauthenticated', detail: 'Please sign in.' });
const ask = () => fetchMe(new AbortController().signal);

/** Answers by path; nothing else has a network. */
function serve(answers: Record<string, () => Response | Promise<Response>>) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (input: Request | string) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.origin);
    asked.push(pathname);
    const answer = answers[pathname];
    if (!answer) throw new TypeError('no network');
    return answer();
  });
  return asked;
}

beforeEach(async () => {
  vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  vi.stubGlobal('requestIdleCallback', () => 0);
  queryClient.clear();
  localStorage.clear();
  await freshDb();
  serve({});
  await enqueue({ kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content: 'hi' });
  return () => vi.unstubAllGlobals();
});

describe('who is signed in', () => {
  it('wipes the device when our server says that nobody is', async () => {
    serve({ '/api/auth/user': signedOut });
    expect(await ask()).toBeNull();
    expect(localStorage.getItem('hw.member')).toBeNull();
    expect(await indexedDB.databases()).toEqual([]);
  });

  it('keeps everything when something in between says so', async () => {
    serve({ '/api/auth/user': () => new Response('<html>Sign in to this Wi-Fi', { status: 401 }) });
    await expect(ask()).rejects.toMatchObject({ status: 401 });
    expect((await findUnsent()).messages).toBe(1);
  });

  it('leaves the page that was drawn for the member before', async () => {
    queryClient.setQueryData(meKey, me);
    serve({ '/api/auth/user': signedOut });
    await ask();
    expect(location.reload).toHaveBeenCalledTimes(1);
  });

  it('keeps the chosen theme, which is the device’s', async () => {
    localStorage.setItem('hw.theme', 'taco');
    serve({ '/api/auth/user': () => json(200, { id: 'another' }) });
    await ask();
    expect(localStorage.getItem('hw.theme')).toBe('taco');
    expect(localStorage.getItem('hw.member')).toBe('another');
  });

  it('does not believe an answer from before somebody signed in', async () => {
    localStorage.clear();
    serve({
      '/api/auth/user': async () => {
        await setMe(me);
        return signedOut();
      },
    });
    await expect(ask()).rejects.toThrow();
    expect(localStorage.getItem('hw.member')).toBe(ME);
  });
});

it('does not end a new session for the sake of an old one that could not be ended', async () => {
  localStorage.setItem('hw.leaving', '1');
  const asked = serve({ '/api/auth/user': () => json(200, me), '/api/auth/logout': () => json(200, {}) });
  await setMe(me);
  await ask();
  expect(asked).toEqual(['/api/auth/user']);
});
