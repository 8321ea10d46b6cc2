import { keepsNothing, storageKeys } from '@/base/storage.ts';

/** The number of recent emoji: one or two rows. */
const MAX_RECENT = 12;

/** Returns the emoji picked last on this device, the newest first. */
export function readRecentEmoji(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKeys.recentEmoji) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string').slice(0, MAX_RECENT) : [];
  } catch {
    return [];
  }
}

/** Stores a picked emoji as the newest; on a device that keeps nothing, or is full, it does nothing. */
export function storeRecentEmoji(emoji: string): void {
  if (keepsNothing()) return;
  const recent = [emoji, ...readRecentEmoji().filter((one) => one !== emoji)].slice(0, MAX_RECENT);
  try {
    localStorage.setItem(storageKeys.recentEmoji, JSON.stringify(recent));
  } catch {
    // The emoji itself is sent; only the shortcut is missing.
  }
}
