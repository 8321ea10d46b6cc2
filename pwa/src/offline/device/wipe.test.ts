import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startSession } from '@/base/pageSession.ts';
import { enqueue } from '../outbox/outbox.ts';
import { CONVERSATION, fakeCaches, freshDb, ME, openDb, PEER } from '../testkit.ts';
import {
  bindDeviceTo,
  blankAndNavigate,
  clearSiteData,
  endSession,
  lockedMember,
  reloadIfMemberChanged,
  signOutWithOtherTabs,
  wipeDevice,
} from './wipe.ts';

/** Web Locks of one name in the order of the requests. */
function queuedLocks() {
  const last = new Map<string, Promise<unknown>>();
  return {
    request: (name: string, _options: LockOptions, work: () => Promise<unknown>) => {
      const current = (last.get(name) ?? Promise.resolve()).then(work);
      last.set(
        name,
        current.catch(() => undefined),
      );
      return current;
    },
  };
}

const names = async () => (await indexedDB.databases()).map(({ name }) => name);
const cacheNames = () => caches.keys();

beforeEach(async () => {
  localStorage.clear();
  vi.stubGlobal('caches', fakeCaches({ [`hw-files-${ME}-thumb.webp`]: {}, 'workbox-precache-v2': {} }));
  await freshDb();
  return () => vi.unstubAllGlobals();
});

it('clears all data of the site, also where the browser blocks its databases', async () => {
  localStorage.setItem('hw.theme', 'taco');
  sessionStorage.setItem('hw.reloaded', '1');
  await clearSiteData();
  expect([localStorage.length, sessionStorage.length, await names(), await cacheNames()]).toEqual([
    0,
    0,
    [],
    [],
  ]);

  localStorage.setItem('hw.member', ME);
  vi.stubGlobal('indexedDB', {
    databases() {
      throw new DOMException('denied', 'SecurityError');
    },
    deleteDatabase() {
      throw new DOMException('denied', 'SecurityError');
    },
  });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await clearSiteData();
  expect(localStorage).toHaveLength(0);
});

it('binds a device whose browser blocks its databases', async () => {
  localStorage.clear();
  vi.stubGlobal('indexedDB', {
    databases() {
      throw new DOMException('denied', 'SecurityError');
    },
  });
  await bindDeviceTo(ME);
  expect(localStorage.getItem('hw.member')).toBe(ME);
});

describe('wipeDevice', () => {
  it('deletes the database, files and storage, and keeps the precached shell', async () => {
    sessionStorage.setItem('x', '1');
    await wipeDevice();
    expect(await names()).toEqual([]);
    expect(await cacheNames()).toEqual(['workbox-precache-v2']);
    expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
  });

  it('keeps the settings of the device, also when another tab signs out', async () => {
    const stop = signOutWithOtherTabs(() => undefined);
    localStorage.setItem('hw.theme', 'taco');
    await wipeDevice();
    localStorage.setItem('hw.leaving', '1');
    const otherTab = new BroadcastChannel('hw-session');
    localStorage.setItem('trace', '1');
    otherTab.postMessage('another tab');
    await vi.waitFor(() => expect(localStorage.getItem('trace')).toBeNull());
    expect({ ...localStorage }).toEqual({ 'hw.theme': 'taco', 'hw.leaving': '1' });
    otherTab.close();
    stop();
    localStorage.clear();
  });

  it('continues when IndexedDB does not respond', async () => {
    const hanging = vi.spyOn(indexedDB, 'databases').mockReturnValue(new Promise(() => undefined));
    await wipeDevice();
    hanging.mockRestore();
    expect(await names()).toEqual([]);
    expect(localStorage.length).toBe(0);
  });

  it('runs every teardown first, even if one fails', async () => {
    const order: string[] = [];
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const session = startSession(ME);
    session.onStop(() => void order.push('first'));
    session.onStop(() => {
      order.push('failing');
      throw new Error('cannot stop');
    });
    await wipeDevice();
    expect(order, 'the newest first').toEqual(['failing', 'first']);
  });

  it('signs out other tabs, but not its own tab again', async () => {
    let calls = 0;
    const stop = signOutWithOtherTabs(() => calls++);
    await wipeDevice();
    await freshDb();
    localStorage.removeItem('hw.member');
    const otherTab = new BroadcastChannel('hw-session');
    otherTab.postMessage('another tab');
    await vi.waitFor(() => expect(calls).toBe(1));
    expect(await names()).toEqual([]);
    otherTab.close();
    stop();
  });
});

describe('a page in the back/forward cache', () => {
  const dispatchPersisted = async (type: string) => {
    dispatchEvent(Object.assign(new Event(type), { persisted: true }));
    await new Promise((resolve) => setTimeout(resolve));
  };

  it('is reloaded if the member has changed or the page was blanked', async () => {
    const reload = vi.fn();
    reloadIfMemberChanged(reload);
    document.body.innerHTML = '<main>messages</main>';
    await dispatchPersisted('pagehide');
    await dispatchPersisted('pageshow');
    expect(reload).not.toHaveBeenCalled();
    await dispatchPersisted('pagehide');
    localStorage.removeItem('hw.member');
    await dispatchPersisted('pageshow');
    expect(reload).toHaveBeenCalledTimes(1);
    blankAndNavigate(() => undefined);
    await dispatchPersisted('pagehide');
    await dispatchPersisted('pageshow');
    expect(reload).toHaveBeenCalledTimes(2);
    expect(document.body.innerHTML).toBe('');
  });
});

describe('the start and end of a session', () => {
  it('keeps the data of the member who is still signed in', async () => {
    await bindDeviceTo(ME);
    expect(await names()).toEqual([`heartward-${ME}`]);
    expect(localStorage.getItem('hw.member')).toBe(ME);
  });

  it('deletes the data of another member', async () => {
    await bindDeviceTo('another');
    expect(await names()).toEqual([]);
    expect(localStorage.getItem('hw.member')).toBe('another');
  });

  it('deletes only the data of others when the same member returns, and keeps the outbox', async () => {
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    const otherDb = openDb('another');
    await otherDb.open();
    otherDb.close();
    await caches.open('hw-files-another-thumb.webp');
    await enqueue(await freshDb(), {
      kind: 'message',
      conversationId: CONVERSATION,
      recipientId: PEER,
      content: 'hi',
    });
    await bindDeviceTo(ME);
    expect(await names()).toEqual([`heartward-${ME}`]);
    expect(await openDb(ME).outbox.count()).toBe(1);
    expect(await cacheNames()).toEqual([`hw-files-${ME}-thumb.webp`, 'workbox-precache-v2', 'hw-member']);
  });

  it('locks the data of an expired session and deletes its photos', async () => {
    await endSession('expired');
    expect(lockedMember()).toBe(ME);
    expect(localStorage.getItem('hw.member')).toBeNull();
    expect(await names()).toEqual([`heartward-${ME}`]);
    expect(await cacheNames()).toEqual(['workbox-precache-v2']);
  });

  it('does not delete locked data in another tab', async () => {
    const onSignedOut = vi.fn();
    const stop = signOutWithOtherTabs(onSignedOut);
    await endSession('expired');
    const otherTab = new BroadcastChannel('hw-session');
    otherTab.postMessage('another tab');
    await vi.waitFor(() => expect(onSignedOut).toHaveBeenCalled());
    expect(await names()).toEqual([`heartward-${ME}`]);
    otherTab.close();
    stop();
  });

  it('notifies no other tab when no member was signed in', async () => {
    await wipeDevice();
    const onMessage = vi.fn();
    const otherTab = new BroadcastChannel('hw-session');
    otherTab.onmessage = onMessage;
    await endSession('revoked');
    await endSession('expired');
    const last = new BroadcastChannel('hw-session');
    last.postMessage('last');
    await vi.waitFor(() => expect(onMessage).toHaveBeenCalled());
    expect(onMessage.mock.calls.map(([{ data }]) => data)).toEqual(['last']);
    otherTab.close();
    last.close();
  });

  it('a late wipe in another tab does not delete the new member’s database', async () => {
    vi.stubGlobal('navigator', { ...navigator, locks: queuedLocks() });
    // This tab receives the sign-out, and its teardown is slow.
    const teardown = Promise.withResolvers<void>();
    const slowTeardown = vi.fn(() => teardown.promise);
    startSession(ME).onStop(slowTeardown);
    const onSignedOut = vi.fn();
    const stop = signOutWithOtherTabs(onSignedOut);
    localStorage.removeItem('hw.member');
    const otherTab = new BroadcastChannel('hw-session');
    otherTab.postMessage('another tab');
    await vi.waitFor(() => expect(slowTeardown).toHaveBeenCalled());
    // Meanwhile another member signs in, in the other tab.
    const signIn = bindDeviceTo('another').then(() => openDb('another').open());
    teardown.resolve();
    await signIn;
    await vi.waitFor(() => expect(onSignedOut).toHaveBeenCalled());
    expect(await names()).toEqual(['heartward-another']);
    expect(localStorage.getItem('hw.member')).toBe('another');
    otherTab.close();
    stop();
  });

  it('deletes a database that localStorage does not name', async () => {
    localStorage.clear();
    await openDb('forgotten').open();
    await bindDeviceTo(ME);
    expect(await names()).toEqual([]);
  });
});
