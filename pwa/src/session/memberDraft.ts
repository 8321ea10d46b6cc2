/**
 * Unfinished forms of the member, in localStorage: they are stored with every letter, and a browser aborts a write to the
 * database when the page is left. Signing out removes them. On a device that keeps nothing they last as long as the
 * session.
 */
import { type InSession, part } from '@/base/pageSession.ts';
import { keepsNothing, storageKeys } from '@/base/storage.ts';

const keys = {
  profile: storageKeys.profileDraft,
  pulse: storageKeys.pulseDraft,
  story: storageKeys.storyDraft,
} as const;

type Form = keyof typeof keys;
type Stored = { memberId: string; draft: unknown };

/** The drafts of a device that keeps nothing. */
const memoryOf = part(() => new Map<Form, Stored>());

function stored(owner: InSession, form: Form): Stored | undefined {
  if (keepsNothing()) return memoryOf(owner).get(form);
  try {
    return JSON.parse(localStorage.getItem(keys[form]) ?? 'null') ?? undefined;
  } catch {
    return;
  }
}

/** Returns the member's draft; undefined if there is none, or only another member's. */
export function readMemberDraft<Draft>(owner: InSession, form: Form): Draft | undefined {
  const found = stored(owner, form);
  return found?.memberId === owner.session.memberId ? (found.draft as Draft) : undefined;
}

/** Stores the member's draft in place of any other; undefined removes it. Returns false if the device is full. */
export function storeMemberDraft(owner: InSession, form: Form, draft: unknown): boolean {
  const { memberId } = owner.session;
  const memory = memoryOf(owner);
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
