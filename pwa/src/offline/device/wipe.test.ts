import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { enqueue } from '../outbox/outbox.ts';
import { openDb } from '../store/db.ts';
import { onWipe } from '../store/teardown.ts';
import { CONVERSATION, fakeCaches, freshDb, ME, PEER } from '../testkit.ts';
import {
  bindDeviceTo,
  blankAndNavigate,
  endSession,
  lockedMember,
  reloadIfMemberChanged,
  signOutWithOtherTabs,
  wipeDevice,
} from './wipe.ts';

/** Web Locks of one name in the order of the requests. */
function queuedLocks() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request: (_name: string, _options: LockOptions, work: () => Promise<unknown>) => {
      const mine = last.then(work);
      last = mine.catch(() => undefined);
      return mine;
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

describe('leaving a device', () => {
  it('deletes database, files and storage, and keeps the shell', async () => {
    sessionStorage.setItem('x', '1');
    await wipeDevice();
    expect(await names()).toEqual([]);
    expect(await cacheNames()).toEqual(['workbox-precache-v2']);
    expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
  });

  it('keeps what the device knows beside the member, also when another tab follows', async () => {
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

  it('goes on when the database does not answer', async () => {
    const silent = vi.spyOn(indexedDB, 'databases').mockReturnValue(new Promise(() => undefined));
    await wipeDevice();
    silent.mockRestore();
    expect(await names()).toEqual([]);
    expect(localStorage.length).toBe(0);
  });

  it('stops everything first, also when a part fails', async () => {
    const order: string[] = [];
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const failing = onWipe(() => {
      order.push('failing');
      throw new Error('cannot stop');
    });
    const working = onWipe(() => void order.push('stopped'));
    await wipeDevice();
    failing();
    working();
    expect(order).toEqual(['failing', 'stopped']);
  });

  it('takes the other tabs along, and does not follow itself', async () => {
    let left = 0;
    const stop = signOutWithOtherTabs(() => left++);
    await wipeDevice();
    await freshDb();
    localStorage.removeItem('hw.member');
    const otherTab = new BroadcastChannel('hw-session');
    otherTab.postMessage('another tab');
    await vi.waitFor(() => expect(left).toBe(1));
    expect(await names()).toEqual([]);
    otherTab.close();
    stop();
  });
});

describe('a page kept in the history', () => {
  const cached = async (type: string) => {
    dispatchEvent(Object.assign(new Event(type), { persisted: true }));
    await new Promise((resolve) => setTimeout(resolve));
  };

  it('is loaded afresh when the member is another by then, or it was left', async () => {
    const reload = vi.fn();
    reloadIfMemberChanged(reload);
    document.body.innerHTML = '<main>messages</main>';
    await cached('pagehide');
    await cached('pageshow');
    expect(reload).not.toHaveBeenCalled();
    await cached('pagehide');
    localStorage.removeItem('hw.member');
    await cached('pageshow');
    expect(reload).toHaveBeenCalledTimes(1);
    blankAndNavigate(() => undefined);
    await cached('pagehide');
    await cached('pageshow');
    expect(reload).toHaveBeenCalledTimes(2);
    expect(document.body.innerHTML).toBe('');
  });
});

describe('at the start', () => {
  it('keeps the data of the member who is still signed in', async () => {
    await bindDeviceTo(ME);
    expect(await names()).toEqual([`heartward-${ME}`]);
    expect(localStorage.getItem('hw.member')).toBe(ME);
  });

  it('wipes what another member left', async () => {
    await bindDeviceTo('another');
    expect(await names()).toEqual([]);
    expect(localStorage.getItem('hw.member')).toBe('another');
  });

  it('drops only what is another’s when the same member is back, never what waits to be sent', async () => {
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    const foreign = openDb('another');
    await foreign.open();
    foreign.close();
    await caches.open('hw-files-another-thumb.webp');
    await freshDb();
    await enqueue({ kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content: 'hi' });
    await bindDeviceTo(ME);
    expect(await names()).toEqual([`heartward-${ME}`]);
    expect(await openDb(ME).outbox.count()).toBe(1);
    expect(await cacheNames()).toEqual([`hw-files-${ME}-thumb.webp`, 'workbox-precache-v2', 'hw-member']);
  });

  it('locks the data when the session has expired, without photos', async () => {
    await endSession('expired');
    expect(lockedMember()).toBe(ME);
    expect(localStorage.getItem('hw.member')).toBeNull();
    expect(await names()).toEqual([`heartward-${ME}`]);
    expect(await cacheNames()).toEqual(['workbox-precache-v2']);
  });

  it('deletes nothing of a locked device in another tab', async () => {
    const left = vi.fn();
    const stop = signOutWithOtherTabs(left);
    await endSession('expired');
    const otherTab = new BroadcastChannel('hw-session');
    otherTab.postMessage('another tab');
    await vi.waitFor(() => expect(left).toHaveBeenCalled());
    expect(await names()).toEqual([`heartward-${ME}`]);
    otherTab.close();
    stop();
  });

  it('tells no other tab when no member was signed in', async () => {
    await wipeDevice();
    const told = vi.fn();
    const otherTab = new BroadcastChannel('hw-session');
    otherTab.onmessage = told;
    await endSession('revoked');
    await endSession('expired');
    const last = new BroadcastChannel('hw-session');
    last.postMessage('last');
    await vi.waitFor(() => expect(told).toHaveBeenCalled());
    expect(told.mock.calls.map(([{ data }]) => data)).toEqual(['last']);
    otherTab.close();
    last.close();
  });

  it('keeps the new member’s database from the late wipe of another tab', async () => {
    vi.stubGlobal('navigator', { ...navigator, locks: queuedLocks() });
    // This tab hears that the member has signed out, and is slow to stop.
    let stopped: () => void = () => undefined;
    const slow = onWipe(() => new Promise<void>((resolve) => (stopped = resolve)));
    const left = vi.fn();
    const stop = signOutWithOtherTabs(left);
    localStorage.removeItem('hw.member');
    const otherTab = new BroadcastChannel('hw-session');
    otherTab.postMessage('another tab');
    await vi.waitFor(() => expect(stopped.length).toBe(1));
    slow();
    // Meanwhile another member signs in, in the other tab.
    const signedIn = bindDeviceTo('another').then(() => openDb('another').open());
    stopped();
    await signedIn;
    await vi.waitFor(() => expect(left).toHaveBeenCalled());
    expect(await names()).toEqual(['heartward-another']);
    expect(localStorage.getItem('hw.member')).toBe('another');
    otherTab.close();
    stop();
  });

  it('finds a database that local storage has forgotten', async () => {
    localStorage.clear();
    await openDb('forgotten').open();
    await bindDeviceTo(ME);
    expect(await names()).toEqual([]);
  });
});
