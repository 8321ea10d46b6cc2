/** The member's own stories. */

import { api, unwrap, unwrapPage } from '@/api/client.ts';
import type { OwnPost, Post, PostCategory } from '@/api/types.ts';
import { useCached } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { fetchNextPage, type Mirror, refreshMirror } from '@/offline/sync/mirror.ts';
import { queryClient } from '@/session/query.ts';
import { putPost } from './board.ts';
import type { StoryDraft } from './storyDraft.ts';
import { parseTags } from './tags.ts';

const ownKey = ['community', 'own'] as const;

const mirror: Mirror<OwnPost> = {
  fetch: (_, cursor, signal) =>
    unwrapPage(api.GET('/api/users/me/posts', { params: { query: { cursor } }, signal })),
  // They are the member's own.
  memberOf: () => undefined,
  readCursor: async (db) => (await getMeta(db, 'ownPosts'))?.next ?? null,
  tables: () => [],
  replace: (db, { items, next }) => setMeta(db, 'ownPosts', { items, next }),
  append: async (db, { items, next }) => {
    const stored = await getMeta(db, 'ownPosts');
    await setMeta(db, 'ownPosts', { items: [...(stored?.items ?? []), ...items], next });
  },
};

export const useOwnPosts = () =>
  useCached({
    key: ownKey,
    read: async (db) => (await getMeta(db, 'ownPosts')) ?? null,
    refresh: (db, signal) => refreshMirror(db, mirror, signal),
    isEmpty: (stored) => !stored?.items.length,
    staleMs: 0,
  });

export const loadNextOwnPosts = (db: HeartwardDb) => fetchNextPage(db, mirror);

/** Fetches the lists again that contain the member's stories. */
const refreshLists = () => void queryClient.invalidateQueries({ queryKey: ['refresh', 'community'] });

const bodyOf = ({ title, excerpt, content, tags, picture }: StoryDraft, category: PostCategory) => ({
  title: title.trim(),
  excerpt: excerpt.trim(),
  content: content.trim(),
  category,
  tags: [category, ...parseTags(tags)],
  featuredImage: picture?.id ?? null,
});

/** Sends a new story; a repetition of the same draft returns the first result. */
export async function createPost(draft: StoryDraft, category: PostCategory): Promise<Post> {
  const body = { ...bodyOf(draft, category), clientId: draft.clientId };
  const post = await unwrap(api.POST('/api/community/posts', { body }));
  refreshLists();
  return post;
}

/** Sends the changed story. It is reviewed again before others see it. */
export async function editPost(
  db: HeartwardDb,
  id: string,
  draft: StoryDraft,
  category: PostCategory,
): Promise<Post> {
  const post = await unwrap(
    api.PUT('/api/community/posts/{id}', { params: { path: { id } }, body: bodyOf(draft, category) }),
  );
  await putPost(db, post);
  refreshLists();
  return post;
}

export async function deletePost(db: HeartwardDb, id: string): Promise<void> {
  await unwrap(api.DELETE('/api/community/posts/{id}', { params: { path: { id } } }));
  await db.transaction('rw', db.posts, db.meta, async () => {
    await db.posts.delete(id);
    const own = await getMeta(db, 'ownPosts');
    if (own) await setMeta(db, 'ownPosts', { ...own, items: own.items.filter((post) => post.id !== id) });
  });
  refreshLists();
}

/** Returns the HTML of a text, as a published post has it. */
export const previewPost = async (content: string): Promise<string> =>
  (await unwrap(api.POST('/api/community/preview', { body: { content } }))).html;
