/**
 * The unfinished story, in localStorage: writing it takes longer than a visit. It is stored with every change, and
 * removed by signing out. On a device that keeps nothing it lasts as long as the page.
 */
import { v7 as uuidv7 } from 'uuid';
import type { PostCategory } from '@/api/types.ts';
import { keepsNothing, storageKeys } from '@/session/storage.ts';

/** A picture by the id of its upload, or that of the post; `preview` is its address, or a small version as a data URL. */
export type DraftPicture = { id: string; preview: string };

export type StoryDraft = {
  /** A repetition with the same id returns the first result. */
  clientId: string;
  title: string;
  excerpt: string;
  category: PostCategory | '';
  content: string;
  picture: DraftPicture | null;
};

/** The drafts of a member by the id of the edited post; that of a new one has the key 'new'. */
type Stored = { memberId: string; drafts: Record<string, StoryDraft> };

const keyOf = (postId: string | null) => postId ?? 'new';

let memory: Stored | null = null;

export const emptyDraft = (): StoryDraft => ({
  clientId: uuidv7(),
  title: '',
  excerpt: '',
  category: '',
  content: '',
  picture: null,
});

const isEmpty = ({ title, excerpt, content, picture }: StoryDraft) =>
  !picture && ![title, excerpt, content].some((text) => text.trim());

/** Returns the member's draft of a new post, or of changes to this one; null if there is none. */
export function readStoryDraft(memberId: string, postId: string | null): StoryDraft | null {
  return draftsOf(memberId)[keyOf(postId)] ?? null;
}

function draftsOf(memberId: string): Stored['drafts'] {
  const stored = keepsNothing() ? memory : readStorage();
  return stored?.memberId === memberId ? stored.drafts : {};
}

function readStorage(): Stored | null {
  try {
    return JSON.parse(localStorage.getItem(storageKeys.storyDraft) ?? 'null') as Stored | null;
  } catch {
    return null;
  }
}

/** Stores the draft; an empty one is removed. Returns false if the device is full. */
export function storeStoryDraft(memberId: string, postId: string | null, draft: StoryDraft): boolean {
  if (isEmpty(draft)) return removeStoryDraft(memberId, postId);
  return store({ memberId, drafts: { ...draftsOf(memberId), [keyOf(postId)]: draft } });
}

export function removeStoryDraft(memberId: string, postId: string | null): boolean {
  const { [keyOf(postId)]: _, ...drafts } = draftsOf(memberId);
  return store({ memberId, drafts });
}

function store(stored: Stored): boolean {
  const isNone = Object.keys(stored.drafts).length === 0;
  if (keepsNothing()) {
    memory = stored;
    return true;
  }
  try {
    if (isNone) localStorage.removeItem(storageKeys.storyDraft);
    else localStorage.setItem(storageKeys.storyDraft, JSON.stringify(stored));
    return true;
  } catch {
    return false;
  }
}
