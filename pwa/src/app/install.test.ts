import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshDb, ME, message, PEER, summary } from '@/offline/testkit.ts';
import { askToInstall, mayOffer, noteOffered, putAway, readWorth, wayOf } from './install.ts';
import { type InstallPrompt, keepInstallPrompt, kept } from './installPrompt.ts';

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
const chromeOnIPhone = iPhone.replace('Version/18.5', 'CriOS/140.0.1');
const inAnApp = iPhone.replace('Version/18.5 ', '').replace(' Safari/604.1', '');
const android =
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
const onIPhone = { agent: iPhone, touchPoints: 5, standalone: false, prompt: false };

describe('the way onto the home screen', () => {
  it.each([
    ['Safari on an iPhone', onIPhone, 'ios'],
    ['an iPad, which calls itself a Mac', { ...onIPhone, agent: mac }, 'ios'],
    ['a Mac', { ...onIPhone, agent: mac, touchPoints: 0 }, null],
    ['another browser of an iPhone', { ...onIPhone, agent: chromeOnIPhone }, null],
    ['an app that shows pages', { ...onIPhone, agent: inAnApp }, null],
    ['the installed app', { ...onIPhone, standalone: true }, null],
    ['Android, asked by the browser', { ...onIPhone, agent: android, prompt: true }, 'prompt'],
    ['Android, where it is installed', { ...onIPhone, agent: android }, null],
  ])('of %s', (_, device, way) => expect(wayOf(device)).toBe(way));
});

describe('the browser’s question', () => {
  const question = (outcome: 'accepted' | 'dismissed') => {
    const asked = vi.fn(async () => ({ outcome }));
    const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt: asked });
    dispatchEvent(event);
    return { event, asked };
  };

  beforeEach(() => {
    kept.prompt = null;
  });

  it('is kept, not shown, and asked once when the member says so', async () => {
    keepInstallPrompt();
    const { event, asked } = question('accepted');
    expect([event.defaultPrevented, kept.prompt, asked.mock.calls.length]).toEqual([true, event, 0]);
    expect(await askToInstall()).toBe(true);
    expect(await askToInstall()).toBe(false);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('tells when the member thought again', async () => {
    keepInstallPrompt();
    question('dismissed');
    expect(await askToInstall()).toBe(false);
  });

  it('is gone once the app is installed, and what it stores is there to stay', () => {
    const persist = vi.fn(async () => true);
    vi.stubGlobal('navigator', { storage: { persist } });
    kept.prompt = new Event('beforeinstallprompt') as InstallPrompt;
    dispatchEvent(new Event('appinstalled'));
    expect(kept.prompt).toBeNull();
    expect(persist).toHaveBeenCalledTimes(1);
    vi.unstubAllGlobals();
  });
});

describe('the offer', () => {
  const day = 24 * 60 * 60_000;
  beforeEach(() => localStorage.clear());

  it('goes by itself a week after it was first seen', () => {
    expect(mayOffer(0)).toBe(true);
    noteOffered(100 * day);
    noteOffered(104 * day);
    expect([106, 107].map((days) => mayOffer(days * day))).toEqual([true, false]);
  });

  it('goes for good when it is put away', () => {
    noteOffered(100 * day);
    putAway();
    noteOffered(101 * day);
    expect(mayOffer(101 * day)).toBe(false);
  });

  it('waits for a match, or for words that reached somebody', async () => {
    const db = await freshDb();
    const said = (senderId: string) =>
      db.conversations.put({
        ...summary({ id: 'c', lastMessage: { ...message(1), senderId } as never }),
        userId: PEER,
        sortAt: '',
      });
    expect(await readWorth(db)).toBe(false);
    await said(PEER);
    expect(await readWorth(db)).toBe(false);
    await said(ME);
    expect(await readWorth(db)).toBe(true);
    await db.conversations.clear();
    await db.matches.put({ id: 'm', user: summary().user, matchedAt: '' } as never);
    expect(await readWorth(db)).toBe(true);
  });
});
