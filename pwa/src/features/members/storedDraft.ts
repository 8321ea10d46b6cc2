import { storageKeys } from '@/session/storage.ts';
import type { Draft } from './draft.ts';

/** Unsaved changes of the profile, in localStorage. Signing out removes them. */
type Stored = { memberId: string; patch: Partial<Draft> };

export function readDraft(memberId: string): Partial<Draft> {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKeys.profileDraft) ?? 'null') as Stored | null;
    return stored?.memberId === memberId ? stored.patch : {};
  } catch {
    return {};
  }
}

export function storeDraft(memberId: string, patch: Partial<Draft>): void {
  try {
    if (Object.keys(patch).length === 0) localStorage.removeItem(storageKeys.profileDraft);
    else localStorage.setItem(storageKeys.profileDraft, JSON.stringify({ memberId, patch }));
  } catch {
    // The device is full: the draft is lost when its screen closes.
  }
}
