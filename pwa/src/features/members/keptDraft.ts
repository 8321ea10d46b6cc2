import { storageKeys } from '@/session/storage.ts';
import type { Draft } from './draft.ts';

/** Changes that are not saved yet, for when the member returns; signing out removes them. */
type Kept = { memberId: string; patch: Partial<Draft> };

export function keptDraft(memberId: string): Partial<Draft> {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKeys.profileDraft) ?? 'null') as Kept | null;
    return kept?.memberId === memberId ? kept.patch : {};
  } catch {
    return {};
  }
}

export function keepDraft(memberId: string, patch: Partial<Draft>): void {
  try {
    if (Object.keys(patch).length === 0) localStorage.removeItem(storageKeys.profileDraft);
    else localStorage.setItem(storageKeys.profileDraft, JSON.stringify({ memberId, patch }));
  } catch {
    // The device is full: the draft lives as long as its screen.
  }
}
