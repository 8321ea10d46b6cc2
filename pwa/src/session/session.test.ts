import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { memberOnDevice } from '@/offline/device/marker.ts';
import { lockedMember, wipeDevice } from '@/offline/device/wipe.ts';
import { enqueue } from '@/offline/outbox/outbox.ts';
import { findLockedUnsent, findUnsent } from '@/offline/outbox/unsent.ts';
import { getDb } from '@/offline/store/db.ts';
import { CONVERSATION, fakeCaches, freshDb, json, ME, PEER } from '@/offline/testkit.ts';
import { meKey, queryClient } from './query.ts';
import { fetchMe, setMe } from './session.ts';
import { deviceMember } from './storage.ts';

const me = { id: ME } as Parameters<typeof setMe>[0];
const signedOut = (code?: string) => () =>
  json(401, { kind: 'unauthenticated', detail: 'Please sign in.', code });
const expired = signedOut('session_expired');
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
  vi.stubGlobal('caches', fakeCaches());
  await wipeDevice();
  localStorage.clear();
  const db = await freshDb();
  serve({});
  await enqueue({ kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content: 'hi' });
  await db.drafts.put({ conversationId: CONVERSATION, content: 'and', updatedAt: 1 });
  return () => vi.unstubAllGlobals();
});

describe('who is signed in', () => {
  it('wipes the device when the session was revoked', async () => {
    serve({ '/api/auth/user': signedOut('session_revoked') });
    expect(await ask()).toBeNull();
    expect(localStorage.getItem('hw.member')).toBeNull();
    expect(await indexedDB.databases()).toEqual([]);
  });

  it.each(['session_expired', undefined])(
    'locks the device when the session has ended in another way (%s)',
    async (code) => {
      serve({ '/api/auth/user': signedOut(code) });
      expect(await ask()).toBeNull();
      expect(deviceMember(), 'nothing is drawn').toBeNull();
      expect(() => getDb()).toThrow();
      expect(await memberOnDevice(), 'the worker shows and sends nothing').toBeNull();
      expect(lockedMember()).toBe(ME);
      expect(await findLockedUnsent(ME)).toMatchObject({ messages: 1, drafts: 1 });
    },
  );

  it('unlocks the device for the same member, with everything that was not sent', async () => {
    serve({ '/api/auth/user': expired });
    await ask();
    await setMe(me);
    expect(lockedMember()).toBeNull();
    expect(await memberOnDevice()).toBe(ME);
    expect(await findUnsent()).toMatchObject({ messages: 1, drafts: 1 });
  });

  it('wipes what is locked when another member signs in', async () => {
    serve({ '/api/auth/user': expired });
    await ask();
    await setMe({ ...me, id: 'another' });
    expect(lockedMember()).toBeNull();
    expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain(`heartward-${ME}`);
  });

  it('wipes what was locked for 30 days, and nothing before', async () => {
    const start = Date.now();
    serve({ '/api/auth/user': expired });
    await ask();
    const clock = vi.spyOn(Date, 'now');
    const day = 86_400_000;
    for (const later of [29 * day, -5 * day]) {
      clock.mockReturnValue(start + later);
      await ask();
      expect(lockedMember()).toBe(ME);
    }
    clock.mockReturnValue(start + 30 * day + 60_000);
    await ask();
    expect(lockedMember()).toBeNull();
    expect(await indexedDB.databases()).toEqual([]);
  });

  it('wipes what is locked when the session turns out to be revoked', async () => {
    serve({ '/api/auth/user': expired });
    await ask();
    serve({ '/api/auth/user': signedOut('session_revoked') });
    await ask();
    expect(lockedMember()).toBeNull();
    expect(await indexedDB.databases()).toEqual([]);
  });

  it('keeps everything when something in between says so', async () => {
    serve({ '/api/auth/user': () => new Response('<html>Sign in to this Wi-Fi', { status: 401 }) });
    await expect(ask()).rejects.toMatchObject({ status: 401 });
    expect((await findUnsent()).messages).toBe(1);
  });

  it('leaves the page that was drawn for the member before', async () => {
    queryClient.setQueryData(meKey, me);
    serve({ '/api/auth/user': expired });
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
        return expired();
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
