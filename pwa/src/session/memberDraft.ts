/**
 * Unfinished forms of the member, in localStorage: they are stored with every letter, and a browser aborts a write to the
 * database when the page is left. Signing out removes them. On a device that keeps nothing they last as long as the page.
 */
import { keepsNothing, storageKeys } from '@/base/storage.ts';

const keys = {
  profile: storageKeys.profileDraft,
  pulse: storageKeys.pulseDraft,
  story: storageKeys.storyDraft,
} as const;

type Form = keyof typeof keys;
type Stored = { memberId: string; draft: unknown };

/** The drafts of a device that keeps nothing. */
const memory = new Map<Form, Stored>();

function stored(form: Form): Stored | undefined {
  if (keepsNothing()) return memory.get(form);
  try {
    return JSON.parse(localStorage.getItem(keys[form]) ?? 'null') ?? undefined;
  } catch {
    return;
  }
}

/** Returns the member's draft; undefined if there is none, or only another member's. */
export function readMemberDraft<Draft>(memberId: string, form: Form): Draft | undefined {
  const found = stored(form);
  return found?.memberId === memberId ? (found.draft as Draft) : undefined;
}

/** Stores the member's draft in place of any other; undefined removes it. Returns false if the device is full. */
export function storeMemberDraft(memberId: string, form: Form, draft: unknown): boolean {
  memory.delete(form);
  try {
    if (draft === undefined) localStorage.removeItem(keys[form]);
    else if (keepsNothing()) memory.set(form, { memberId, draft });
    else localStorage.setItem(keys[form], JSON.stringify({ memberId, draft }));
    return true;
  } catch {
    return false;
  }
}
