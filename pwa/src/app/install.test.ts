import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshDb, ME, message, PEER, summary } from '@/offline/testkit.ts';
import {
  askToInstall,
  dismissOffer,
  installMethodOf,
  markOffered,
  mayOffer,
  readIsWorthOffering,
} from './install.ts';
import { deferInstallPrompt, deferredPrompt, type InstallPrompt } from './installPrompt.ts';

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
const chromeOnIPhone = iPhone.replace('Version/18.5', 'CriOS/140.0.1');
const inAnApp = iPhone.replace('Version/18.5 ', '').replace(' Safari/604.1', '');
const android =
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
const onIPhone = { agent: iPhone, touchPoints: 5, standalone: false, prompt: false };

describe('the install method', () => {
  it.each([
    ['Safari on an iPhone', onIPhone, 'ios'],
    ['an iPad, which calls itself a Mac', { ...onIPhone, agent: mac }, 'ios'],
    ['a Mac', { ...onIPhone, agent: mac, touchPoints: 0 }, null],
    ['another browser of an iPhone', { ...onIPhone, agent: chromeOnIPhone }, null],
    ['an app that shows pages', { ...onIPhone, agent: inAnApp }, null],
    ['the installed app', { ...onIPhone, standalone: true }, null],
    ['Android, where the browser offers it', { ...onIPhone, agent: android, prompt: true }, 'prompt'],
    ['Android, where it is installed', { ...onIPhone, agent: android }, null],
  ])('of %s', (_, device, method) => expect(installMethodOf(device)).toBe(method));
});

describe('the browser’s prompt', () => {
  const promptEvent = (outcome: 'accepted' | 'dismissed') => {
    const prompt = vi.fn(async () => ({ outcome }));
    const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
      prompt,
    });
    dispatchEvent(event);
    return { event, prompt };
  };

  beforeEach(() => {
    deferredPrompt.prompt = null;
  });

  it('is deferred, and shown once when the member asks for it', async () => {
    deferInstallPrompt();
    const { event, prompt } = promptEvent('accepted');
    expect([event.defaultPrevented, deferredPrompt.prompt, prompt.mock.calls.length]).toEqual([
      true,
      event,
      0,
    ]);
    expect(await askToInstall()).toBe(true);
    expect(await askToInstall()).toBe(false);
    expect(prompt).toHaveBeenCalledTimes(1);
  });

  it('reports when the member dismisses it', async () => {
    deferInstallPrompt();
    promptEvent('dismissed');
    expect(await askToInstall()).toBe(false);
  });

  it('is cleared once the app is installed, and its storage becomes persistent', () => {
    const persist = vi.fn(async () => true);
    vi.stubGlobal('navigator', { storage: { persist } });
    deferredPrompt.prompt = new Event('beforeinstallprompt') as InstallPrompt;
    dispatchEvent(new Event('appinstalled'));
    expect(deferredPrompt.prompt).toBeNull();
    expect(persist).toHaveBeenCalledTimes(1);
    vi.unstubAllGlobals();
  });
});

describe('the offer', () => {
  const day = 24 * 60 * 60_000;
  beforeEach(() => localStorage.clear());

  it('ends a week after it was first seen', () => {
    expect(mayOffer(0)).toBe(true);
    markOffered(100 * day);
    markOffered(104 * day);
    expect([106, 107].map((days) => mayOffer(days * day))).toEqual([true, false]);
  });

  it('ends for good when it is dismissed', () => {
    markOffered(100 * day);
    dismissOffer();
    markOffered(101 * day);
    expect(mayOffer(101 * day)).toBe(false);
  });

  it('waits for a match or a sent message', async () => {
    const db = await freshDb();
    const storeConversation = (senderId: string) =>
      db.conversations.put({
        ...summary({ id: 'c', lastMessage: { ...message(1), senderId } as never }),
        userId: PEER,
        sortAt: '',
      });
    expect(await readIsWorthOffering(db)).toBe(false);
    await storeConversation(PEER);
    expect(await readIsWorthOffering(db)).toBe(false);
    await storeConversation(ME);
    expect(await readIsWorthOffering(db)).toBe(true);
    await db.conversations.clear();
    await db.matches.put({ id: 'm', user: summary().user, matchedAt: '' } as never);
    expect(await readIsWorthOffering(db)).toBe(true);
  });
});
