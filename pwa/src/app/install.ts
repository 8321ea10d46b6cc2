/**
 * Installation of the app. The browser's prompt is deferred until the member asks for it; on an iPhone there is none, so
 * the steps are shown in pictures. It is offered after a first match or sent message, by a card that ends when it is
 * dismissed, or after a week, and does not appear before the member has touched the page.
 */

import { storageKeys } from '@/base/storage.ts';
import { createEmitter } from '@/base/store.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { deferredPrompt } from './installPrompt.ts';

/** How this device installs the app: by the browser's prompt, by hand on iOS, or not at all (or it is installed). */
export type InstallMethod = 'prompt' | 'ios' | null;

type Device = { agent: string; touchPoints: number; standalone: boolean; prompt: boolean };

export function installMethodOf({ agent, touchPoints, standalone, prompt }: Device): InstallMethod {
  if (standalone) return null;
  if (prompt) return 'prompt';
  // An iPad identifies as a Mac. Other iOS browsers have other steps, and in-app browsers cannot install.
  const apple = /iPhone|iPad|iPod/.test(agent) || (/Macintosh/.test(agent) && touchPoints > 1);
  const safari = /Version\/.+Safari\//.test(agent) && !/CriOS|FxiOS|EdgiOS|OPT\/|DuckDuckGo/.test(agent);
  return apple && safari ? 'ios' : null;
}

const standalone = () =>
  matchMedia('(display-mode: standalone)').matches ||
  (navigator as Navigator & { standalone?: boolean }).standalone === true;

const currentMethod = () =>
  installMethodOf({
    agent: navigator.userAgent,
    touchPoints: navigator.maxTouchPoints,
    standalone: standalone(),
    prompt: deferredPrompt.prompt !== null,
  });

const changes = createEmitter();

// deferInstallPrompt's listener runs first and has stored the prompt.
addEventListener('beforeinstallprompt', changes.emit);
addEventListener('appinstalled', () => {
  deferredPrompt.prompt = null;
  // The storage of an installed app should be persistent.
  void navigator.storage?.persist?.().catch(() => undefined);
  changes.emit();
});

/** Returns how this device can install the app. */
export const useInstallMethod = (): InstallMethod => changes.useValue(currentMethod);

for (const type of ['pointerup', 'mousedown', 'touchend', 'keydown']) {
  addEventListener(type, changes.emit, { once: true, passive: true });
}

/** Returns whether the member has touched the page, or cannot be asked. Until then the screen's own data are drawn. */
export const useHasInteracted = (): boolean =>
  changes.useValue(() => navigator.userActivation?.hasBeenActive ?? true);

/** Shows the browser's prompt, which works once. Resolves with whether the member accepted. */
export async function askToInstall(): Promise<boolean> {
  const { prompt } = deferredPrompt;
  if (!prompt) return false;
  deferredPrompt.prompt = null;
  const { outcome } = await prompt.prompt();
  changes.emit();
  return outcome === 'accepted';
}

const OFFER_DURATION_MS = 7 * 24 * 60 * 60_000;

export function mayOffer(now = Date.now()): boolean {
  const offered = localStorage.getItem(storageKeys.installOffered);
  return offered === null || now - Number(offered) < OFFER_DURATION_MS;
}

/** Stores when the offer was first seen, from which its week counts. */
export function markOffered(now = Date.now()): void {
  if (localStorage.getItem(storageKeys.installOffered) === null)
    localStorage.setItem(storageKeys.installOffered, String(now));
}

export function dismissOffer(): void {
  localStorage.setItem(storageKeys.installOffered, 'no');
}

/** Returns whether there is a match or a sent message, after which installing is offered. */
export async function readIsWorthOffering(db: HeartwardDb): Promise<boolean> {
  if ((await db.matches.count()) > 0) return true;
  const withSentMessage = db.conversations.filter(({ lastMessage }) => lastMessage?.senderId === db.memberId);
  return (await withSentMessage.count()) > 0;
}
