/** The unfinished stories of the member: writing one takes longer than a visit. It is stored with every change. */
import { v7 as uuidv7 } from 'uuid';
import type { PostCategory } from '@/api/types.ts';
import type { InSession } from '@/base/pageSession.ts';
import { readMemberDraft, storeMemberDraft } from '@/session/memberDraft.ts';

/**
 * A picture by the id of its upload, or that of the post. `preview` is its address, or a small version as a data URL; '' if
 * the browser cannot make one (canvasIsTrue).
 */
export type DraftPicture = { id: string; preview: string };

export type StoryDraft = {
  /** A repetition with the same id returns the first result. */
  clientId: string;
  title: string;
  excerpt: string;
  category: PostCategory | '';
  content: string;
  /** With commas between them. */
  tags: string;
  picture: DraftPicture | null;
};

/** The drafts of a member by the id of the edited post; that of a new one has the key 'new'. */
type Drafts = Record<string, StoryDraft>;

const keyOf = (postId: string | null) => postId ?? 'new';

export const emptyDraft = (): StoryDraft => ({
  clientId: uuidv7(),
  title: '',
  excerpt: '',
  category: '',
  content: '',
  tags: '',
  picture: null,
});

const isEmpty = ({ title, excerpt, content, tags, picture }: StoryDraft) =>
  !picture && ![title, excerpt, content, tags].some((text) => text.trim());

/** Returns the member's draft of a new post, or of changes to this one; null if there is none. */
export function readStoryDraft(owner: InSession, postId: string | null): StoryDraft | null {
  const draft = draftsOf(owner)[keyOf(postId)];
  // A draft of an earlier version of the app has no tags.
  return draft ? { ...emptyDraft(), ...draft } : null;
}

const draftsOf = (owner: InSession): Drafts => readMemberDraft<Drafts>(owner, 'story') ?? {};

/** Stores the draft; an empty one is removed. Returns false if the device is full. */
export function storeStoryDraft(owner: InSession, postId: string | null, draft: StoryDraft): boolean {
  if (isEmpty(draft)) return removeStoryDraft(owner, postId);
  return storeMemberDraft(owner, 'story', { ...draftsOf(owner), [keyOf(postId)]: draft });
}

export function removeStoryDraft(owner: InSession, postId: string | null): boolean {
  const { [keyOf(postId)]: _, ...drafts } = draftsOf(owner);
  return storeMemberDraft(owner, 'story', Object.keys(drafts).length > 0 ? drafts : undefined);
}
