import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deviceMember } from '@/base/storage.ts';
import { readDeviceMember } from '@/offline/device/marker.ts';
import { lockedMember, wipeDevice } from '@/offline/device/wipe.ts';
import { enqueue } from '@/offline/outbox/outbox.ts';
import { findLockedUnsent, findUnsent } from '@/offline/outbox/unsent.ts';
import { CONVERSATION, fakeCaches, freshDb, json, ME, openDb, PEER } from '@/offline/testkit.ts';
import { meKey, queryClient } from './query.ts';
import { fetchMe, setMe, whileSessionEnds } from './session.ts';

const me = { id: ME } as Parameters<typeof setMe>[0];
const respondSignedOut = (code?: string) => () => json(200, { member: null, code });
const respondSignedIn = (id: string) => () => json(200, { member: { id } });
const respondExpired = respondSignedOut('session_expired');
const fetchSession = () => fetchMe(new AbortController().signal);

/** Fakes responses by path; other requests fail as if offline. */
function serve(responses: Record<string, () => Response | Promise<Response>>) {
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (input: Request | string) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.origin);
    requests.push(pathname);
    const respond = responses[pathname];
    if (!respond) throw new TypeError('no network');
    return respond();
  });
  return requests;
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
  await enqueue(db, { kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content: 'hi' });
  await db.drafts.put({ conversationId: CONVERSATION, content: 'and', updatedAt: 1 });
  return () => vi.unstubAllGlobals();
});

describe('who is signed in', () => {
  it('wipes the device when the session was revoked', async () => {
    serve({ '/api/auth/session': respondSignedOut('session_revoked') });
    expect(await fetchSession()).toBeNull();
    expect(localStorage.getItem('hw.member')).toBeNull();
    expect(await indexedDB.databases()).toEqual([]);
  });

  it.each(['session_expired', undefined])(
    'locks the device when the session has ended in another way (%s)',
    async (code) => {
      serve({ '/api/auth/session': respondSignedOut(code) });
      expect(await fetchSession()).toBeNull();
      expect(deviceMember(), 'nothing is drawn').toBeNull();
      expect(await readDeviceMember(), 'the worker shows and sends nothing').toBeNull();
      expect(lockedMember()).toBe(ME);
      expect(await findLockedUnsent(ME)).toMatchObject({ messages: 1, drafts: 1 });
    },
  );

  it('unlocks the device for the same member, with all unsent items', async () => {
    serve({ '/api/auth/session': respondExpired });
    await fetchSession();
    await setMe(me);
    expect(lockedMember()).toBeNull();
    expect(await readDeviceMember()).toBe(ME);
    expect(await findUnsent(openDb(ME))).toMatchObject({ messages: 1, drafts: 1 });
  });

  it('wipes a locked device when another member signs in', async () => {
    serve({ '/api/auth/session': respondExpired });
    await fetchSession();
    await setMe({ ...me, id: 'another' });
    expect(lockedMember()).toBeNull();
    expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain(`heartward-${ME}`);
  });

  it('wipes a locked device after 30 days, and not before', async () => {
    const start = Date.now();
    serve({ '/api/auth/session': respondExpired });
    await fetchSession();
    const clock = vi.spyOn(Date, 'now');
    const day = 86_400_000;
    for (const later of [29 * day, -5 * day]) {
      clock.mockReturnValue(start + later);
      await fetchSession();
      expect(lockedMember()).toBe(ME);
    }
    clock.mockReturnValue(start + 30 * day + 60_000);
    await fetchSession();
    expect(lockedMember()).toBeNull();
    expect(await indexedDB.databases()).toEqual([]);
  });

  it('wipes a locked device when the session turns out to be revoked', async () => {
    serve({ '/api/auth/session': respondExpired });
    await fetchSession();
    serve({ '/api/auth/session': respondSignedOut('session_revoked') });
    await fetchSession();
    expect(lockedMember()).toBeNull();
    expect(await indexedDB.databases()).toEqual([]);
  });

  it('keeps everything when a 401 is not from our server', async () => {
    serve({ '/api/auth/session': () => new Response('<html>Sign in to this Wi-Fi', { status: 401 }) });
    await expect(fetchSession()).rejects.toMatchObject({ status: 401 });
    expect((await findUnsent(openDb(ME))).messages).toBe(1);
  });

  it('keeps everything when a 200 is not from our server', async () => {
    serve({ '/api/auth/session': () => json(200, { login: 'https://wifi.example' }) });
    await expect(fetchSession()).rejects.toMatchObject({ kind: 'network' });
    expect(deviceMember()).toBe(ME);
    expect((await findUnsent(openDb(ME))).messages).toBe(1);
  });

  it('reloads a page that was drawn for the previous member', async () => {
    queryClient.setQueryData(meKey, me);
    serve({ '/api/auth/session': respondExpired });
    await fetchSession();
    expect(location.reload).toHaveBeenCalledTimes(1);
  });

  it('keeps the theme, which belongs to the device', async () => {
    localStorage.setItem('hw.theme', 'taco');
    serve({ '/api/auth/session': respondSignedIn('another') });
    await fetchSession();
    expect(localStorage.getItem('hw.theme')).toBe('taco');
    expect(localStorage.getItem('hw.member')).toBe('another');
  });

  it('ignores a response to a request sent before a sign-in', async () => {
    localStorage.clear();
    serve({
      '/api/auth/session': async () => {
        await setMe(me);
        return respondExpired();
      },
    });
    await expect(fetchSession()).rejects.toThrow();
    expect(localStorage.getItem('hw.member')).toBe(ME);
  });
});

it('does not end a new session because of a pending sign-out of an old one', async () => {
  localStorage.setItem('hw.leaving', '1');
  const requests = serve({
    '/api/auth/session': respondSignedIn(ME),
    '/api/auth/logout': () => json(200, {}),
  });
  await setMe(me);
  await fetchSession();
  expect(requests).toEqual(['/api/auth/session']);
});

it('does not ask about a session that a request is ending', async () => {
  const requests = serve({ '/api/auth/session': respondSignedOut('session_revoked') });
  let answer = () => {};
  const ending = whileSessionEnds(
    () =>
      new Promise<void>((done) => {
        answer = done;
      }),
  );
  const asked = fetchSession();
  await new Promise((done) => setTimeout(done));
  expect(requests).toEqual([]);
  answer();
  await ending;
  expect(await asked).toBeNull();

  // One that fails, such as a request that needs a proof, changes nothing.
  await expect(whileSessionEnds(() => Promise.reject(new Error('proof')))).rejects.toThrow('proof');
  expect(await fetchSession()).toBeNull();
});
