import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openDb } from './db.ts';
import { enqueue } from './outbox.ts';
import { CONVERSATION, freshDb, ME, PEER } from './testkit.ts';
import { claimDevice, followOtherTabs, leavePage, onWipe, reloadWhenOutlived, wipeDevice } from './wipe.ts';

const names = async () => (await indexedDB.databases()).map(({ name }) => name);
let cacheNames: string[];

beforeEach(async () => {
  cacheNames = [`hw-files-${ME}-thumb.webp`, 'workbox-precache-v2'];
  vi.stubGlobal('caches', {
    keys: async () => [...cacheNames],
    delete: async (name: string) => cacheNames.splice(cacheNames.indexOf(name), 1).length > 0,
  });
  await freshDb();
  return () => vi.unstubAllGlobals();
});

describe('leaving a device', () => {
  it('deletes database, files and storage, and keeps the shell', async () => {
    sessionStorage.setItem('x', '1');
    await wipeDevice();
    expect(await names()).toEqual([]);
    expect(cacheNames).toEqual(['workbox-precache-v2']);
    expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
  });

  it('keeps what the device knows beside the member, also when another tab follows', async () => {
    const stop = followOtherTabs(() => undefined);
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
    const stop = followOtherTabs(() => left++);
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
  const cached = (type: string) => Object.assign(new Event(type), { persisted: true });

  it('is loaded afresh when the member is another by then, or it was left', () => {
    const reload = vi.fn();
    reloadWhenOutlived(reload);
    document.body.innerHTML = '<main>messages</main>';
    dispatchEvent(cached('pagehide'));
    dispatchEvent(cached('pageshow'));
    expect(reload).not.toHaveBeenCalled();
    dispatchEvent(cached('pagehide'));
    localStorage.removeItem('hw.member');
    dispatchEvent(cached('pageshow'));
    expect(reload).toHaveBeenCalledTimes(1);
    leavePage(() => undefined);
    dispatchEvent(cached('pagehide'));
    dispatchEvent(cached('pageshow'));
    expect(reload).toHaveBeenCalledTimes(2);
    expect(document.body.innerHTML).toBe('');
  });
});

describe('at the start', () => {
  it('keeps the data of the member who is still signed in', async () => {
    await claimDevice(ME);
    expect(await names()).toEqual([`heartward-${ME}`]);
    expect(localStorage.getItem('hw.member')).toBe(ME);
  });

  it('wipes what another member left', async () => {
    await claimDevice('another');
    expect(await names()).toEqual([]);
    expect(localStorage.getItem('hw.member')).toBe('another');
  });

  it('drops only what is another’s when the same member is back, never what waits to be sent', async () => {
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    const foreign = openDb('another');
    await foreign.open();
    foreign.close();
    cacheNames.push('hw-files-another-thumb.webp');
    await freshDb();
    await enqueue({ kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content: 'hi' });
    await claimDevice(ME);
    expect(await names()).toEqual([`heartward-${ME}`]);
    expect(await openDb(ME).outbox.count()).toBe(1);
    expect(cacheNames).toEqual([`hw-files-${ME}-thumb.webp`, 'workbox-precache-v2']);
  });

  it('wipes when the session is over', async () => {
    await claimDevice(null);
    expect(await names()).toEqual([]);
    expect(localStorage.getItem('hw.member')).toBeNull();
  });

  it('finds a database that local storage has forgotten', async () => {
    localStorage.clear();
    await openDb('forgotten').open();
    await claimDevice(ME);
    expect(await names()).toEqual([]);
  });
});
