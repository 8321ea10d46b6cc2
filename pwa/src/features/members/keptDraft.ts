import type { Draft } from './draft.ts';

/** What was written and not saved yet, for when the member comes back; signing out removes it with the rest. */
const key = 'hw.profile-draft';

type Kept = { memberId: string; patch: Partial<Draft> };

export function keptDraft(memberId: string): Partial<Draft> {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as Kept | null;
    return kept?.memberId === memberId ? kept.patch : {};
  } catch {
    return {};
  }
}

export function keepDraft(memberId: string, patch: Partial<Draft>): void {
  try {
    if (Object.keys(patch).length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ memberId, patch }));
  } catch {
    // The device is full: the draft lives as long as its screen.
  }
}
