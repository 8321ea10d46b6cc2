/**
 * Putting the app on the home screen. Where the browser has a question for it, that is kept and asked when the
 * member says so; on an iPhone there is none, so the way is shown in pictures. It is offered after a moment of
 * value, calmly: one card that goes for good when it is put away, and by itself after a week.
 */
import { useSyncExternalStore } from 'react';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { storageKeys } from '@/session/storage.ts';
import { kept } from './installPrompt.ts';

/** How this device installs: by the browser's question, by hand as on an iPhone, or not (or it has been). */
export type Way = 'prompt' | 'ios' | null;

type Device = { agent: string; touchPoints: number; standalone: boolean; prompt: boolean };

export function wayOf({ agent, touchPoints, standalone, prompt }: Device): Way {
  if (standalone) return null;
  if (prompt) return 'prompt';
  // An iPad calls itself a Mac. Other browsers of iOS hide the step elsewhere, and apps that show pages have none.
  const apple = /iPhone|iPad|iPod/.test(agent) || (/Macintosh/.test(agent) && touchPoints > 1);
  const safari = /Version\/.+Safari\//.test(agent) && !/CriOS|FxiOS|EdgiOS|OPT\/|DuckDuckGo/.test(agent);
  return apple && safari ? 'ios' : null;
}

const standalone = () =>
  matchMedia('(display-mode: standalone)').matches ||
  (navigator as Navigator & { standalone?: boolean }).standalone === true;

const wayHere = () =>
  wayOf({
    agent: navigator.userAgent,
    touchPoints: navigator.maxTouchPoints,
    standalone: standalone(),
    prompt: kept.prompt !== null,
  });

const watchers = new Set<() => void>();

function tell(): void {
  for (const watcher of watchers) watcher();
}

// The page's first listener has kept the question by then.
addEventListener('beforeinstallprompt', tell);
addEventListener('appinstalled', () => {
  kept.prompt = null;
  // An app on the home screen is there to stay, and so is what it has stored.
  void navigator.storage?.persist?.().catch(() => undefined);
  tell();
});

/** How this device can install the app just now. */
export function useWay(): Way {
  return useSyncExternalStore((watcher) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }, wayHere);
}

/** Asks the browser's question; true when the member agreed. It is spent either way. */
export async function askToInstall(): Promise<boolean> {
  const { prompt } = kept;
  if (!prompt) return false;
  kept.prompt = null;
  const { outcome } = await prompt.prompt();
  tell();
  return outcome === 'accepted';
}

const offeredForMs = 7 * 24 * 60 * 60_000;

export function mayOffer(now = Date.now()): boolean {
  const offered = localStorage.getItem(storageKeys.installOffered);
  return offered === null || now - Number(offered) < offeredForMs;
}

/** The offer was seen; its week begins with the first time. */
export function noteOffered(now = Date.now()): void {
  if (localStorage.getItem(storageKeys.installOffered) === null)
    localStorage.setItem(storageKeys.installOffered, String(now));
}

export function putAway(): void {
  localStorage.setItem(storageKeys.installOffered, 'no');
}

/** A match, or words that have reached somebody: from then on the app is worth a place on the home screen. */
export async function readWorth(db: HeartwardDb): Promise<boolean> {
  if ((await db.matches.count()) > 0) return true;
  const written = db.conversations.filter(({ lastMessage }) => lastMessage?.senderId === db.memberId);
  return (await written.count()) > 0;
}
