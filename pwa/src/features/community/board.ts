/**
 * The lists and posts of the community board. On a member's device both are mirrored: the posts in a table of their own,
 * so that a like or a comment changes them in every list. A visitor's device keeps nothing.
 */
import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, unwrap, unwrapPage } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import type { Post, PostCard } from '@/api/types.ts';
import { part } from '@/base/pageSession.ts';
import { useCached, useMemberDb } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';
import type { OutboxRow, PostRow } from '@/offline/store/rows.ts';
import { fetchNextPage, type Mirror, type Page, refreshMirror } from '@/offline/sync/mirror.ts';
import type { BoardTab } from './boardCategories.ts';

/** What a list shows: a category or all, and among them the posts with this tag and these words; or the popular ones. */
export type BoardList = { tab: BoardTab | 'popular'; tag: string; words: string };

/** The few popular posts of the week. */
export const POPULAR: BoardList = { tab: 'popular', tag: '', words: '' };

/** The name of a list on the device. Searches and tags share one for each tab: only the last is kept. */
const nameOf = ({ tab, tag, words }: BoardList): `board:${string}` =>
  `board:${tab}${words || tag ? ':search' : ''}`;

async function fetchPage(
  { tab, tag, words }: BoardList,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<Page<PostCard>> {
  if (tab === 'popular') return unwrapPage(api.GET('/api/community/popular', { signal }));
  const query = {
    category: tab === 'all' ? undefined : tab,
    tag: tag || undefined,
    q: words || undefined,
    cursor,
  };
  return unwrapPage(api.GET('/api/community/posts', { params: { query }, signal }));
}

async function storedList(db: HeartwardDb, list: BoardList) {
  const stored = await getMeta(db, nameOf(list));
  const isSame = stored && (stored.words ?? '') === list.words && (stored.tag ?? '') === list.tag;
  return isSame ? stored : null;
}

/**
 * Stores what lists show of a post, and keeps its text and comments if it was opened. The words that a search has found in
 * it are stored with the list.
 */
async function putCards(db: HeartwardDb, cards: readonly PostCard[], fetchedAt: number): Promise<void> {
  const known = await db.posts.bulkGet(cards.map(({ id }) => id));
  const rows = cards.map(({ matches: _, ...post }, index): PostRow => {
    const row = known[index];
    return { ...row, id: post.id, post: { ...row?.post, ...post }, fetchedAt };
  });
  await db.posts.bulkPut(rows);
}

/** Returns the words that a search has found, by the id of the post. */
const matchesOf = (cards: readonly PostCard[]): Record<string, string[]> =>
  Object.fromEntries(cards.flatMap(({ id, matches }) => (matches ? [[id, matches]] : [])));

const mirrorsOf = part(() => new Map<string, Mirror<PostCard>>());

/** Returns the mirror of a list, the same for the same list. */
function mirrorOf(db: HeartwardDb, list: BoardList): Mirror<PostCard> {
  const mirrors = mirrorsOf(db);
  const key = JSON.stringify(list);
  const mirror = mirrors.get(key) ?? makeMirror(list);
  mirrors.set(key, mirror);
  return mirror;
}

const makeMirror = (list: BoardList): Mirror<PostCard> => ({
  fetch: (_, cursor, signal) => fetchPage(list, cursor, signal),
  memberOf: ({ author }) => author.id ?? undefined,
  readCursor: async (db) => (await storedList(db, list))?.next ?? null,
  tables: (db) => [db.posts],
  replace: async (db, { items, next, last, since }) => {
    await putCards(db, items, since);
    const ids = items.map(({ id }) => id);
    const stored = await storedList(db, list);
    // The later pages stay, so that the way back from a post leads to where it began, unless there may be a gap.
    const following = next && last && stored?.ids.includes(last.id) ? idsAfter(stored.ids, last.id, ids) : [];
    const isLonger = following.length > 0;
    await setMeta(db, nameOf(list), {
      ids: isLonger ? [...ids, ...following] : ids,
      next: isLonger ? (stored?.next ?? null) : next,
      words: list.words || undefined,
      tag: list.tag || undefined,
      matches: { ...(isLonger && stored?.matches), ...matchesOf(items) },
    });
  },
  append: async (db, { items, next, since }) => {
    const stored = await storedList(db, list);
    if (!stored) return;
    await putCards(db, items, since);
    const ids = [...new Set([...stored.ids, ...items.map(({ id }) => id)])];
    const matches = { ...stored.matches, ...matchesOf(items) };
    await setMeta(db, nameOf(list), { ...stored, ids, next, matches });
  },
});

const idsAfter = (ids: readonly string[], last: string, page: readonly string[]): string[] =>
  ids.slice(ids.indexOf(last) + 1).filter((id) => !page.includes(id));

type StoredPosts = { posts: PostCard[]; next: boolean };

/** Returns a stored list with the member's waiting likes and comments; null if it was never loaded. */
export async function readBoard(db: HeartwardDb, list: BoardList): Promise<StoredPosts | null> {
  const stored = await storedList(db, list);
  if (!stored) return null;
  const waiting = await waitingRows(db);
  const rows = await db.posts.bulkGet(stored.ids);
  return {
    // A post whose author was removed from this device has no row.
    posts: rows.flatMap((row) =>
      row ? [{ ...withWaiting(row.post, waiting), matches: stored.matches?.[row.id] }] : [],
    ),
    next: stored.next !== null,
  };
}

const waitingRows = async (db: HeartwardDb): Promise<OutboxRow[]> =>
  db.outbox
    .filter(({ kind, state }) => (kind === 'postLike' || kind === 'comment') && state !== 'failed')
    .toArray();

/** Returns the post as it will be when the waiting like and comments have arrived. */
function withWaiting<P extends PostCard>(post: P, waiting: readonly OutboxRow[]): P {
  let { likedByMe, likeCount, commentCount } = post;
  for (const { body } of waiting) {
    if (body.kind === 'comment' && body.postId === post.id) commentCount += 1;
    if (body.kind !== 'postLike' || body.postId !== post.id || body.liked === likedByMe) continue;
    likedByMe = body.liked;
    likeCount = Math.max(0, likeCount + (body.liked ? 1 : -1));
  }
  return { ...post, likedByMe, likeCount, commentCount };
}

/** A list as a screen shows it, of a member or a visitor. */
export type ShownBoard = {
  posts: PostCard[] | undefined;
  error: Error | null;
  hasNext: boolean;
  loadNext: () => Promise<unknown>;
  refresh: () => Promise<unknown>;
};

export const refreshBoard = (db: HeartwardDb, list: BoardList, signal?: AbortSignal): Promise<void> =>
  refreshMirror(db, mirrorOf(db, list), signal);

export const loadNextPosts = (db: HeartwardDb, list: BoardList): Promise<void> =>
  fetchNextPage(db, mirrorOf(db, list));

export function useMemberBoard(list: BoardList, enabled = true): ShownBoard {
  const db = useMemberDb();
  const { data, state, error, refresh } = useCached({
    key: ['community', list.tab, list.tag, list.words],
    read: (db) => readBoard(db, list),
    refresh: (db, signal) => refreshBoard(db, list, signal),
    isEmpty: (stored) => !stored?.posts.length,
    staleMs: 0,
    enabled,
  });
  return {
    // An empty list is shown when the server has confirmed it.
    posts: state === 'loading' ? undefined : data?.posts,
    error,
    hasNext: data?.next ?? false,
    loadNext: async () => db && loadNextPosts(db, list),
    refresh,
  };
}

export function useVisitorBoard(list: BoardList, enabled = true): ShownBoard {
  const query = useInfiniteQuery({
    queryKey: ['visitor-board', list.tab, list.tag, list.words],
    queryFn: ({ pageParam, signal }) => fetchPage(list, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }: InfiniteData<Page<PostCard>>) => pages.flatMap(({ items }) => items),
    staleTime: 60_000,
    enabled,
  });
  return {
    posts: query.data,
    error: query.error,
    hasNext: query.hasNextPage,
    loadNext: () => query.fetchNextPage({ throwOnError: true }),
    refresh: query.refetch,
  };
}

export const fetchPost = (id: string, signal?: AbortSignal): Promise<Post> =>
  unwrap(api.GET('/api/community/posts/{id}', { params: { path: { id } }, signal }));

/** Stores a post and keeps its comments, which may be stored at the same time. */
export const putPost = (db: HeartwardDb, post: Post): Promise<unknown> =>
  withQuotaRetry(db, () =>
    db.transaction('rw', db.posts, async () => {
      const row = await db.posts.get(post.id);
      await db.posts.put({ ...row, id: post.id, post, fetchedAt: Date.now() });
    }),
  );

/** Fetches a post and stores it. One that the member may not see any more is removed from the device. */
export async function refreshPost(db: HeartwardDb, id: string, signal?: AbortSignal): Promise<void> {
  try {
    await putPost(db, await fetchPost(id, signal));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) await db.posts.delete(id);
    throw error;
  }
}

/** A post as a screen shows it. `post` is only what its card shows until the text has been loaded. */
export type ShownPost = {
  post: (PostCard & Partial<Post>) | undefined;
  error: Error | null;
  refresh: () => Promise<unknown>;
};

export function useMemberPost(id: string): ShownPost {
  const { data, error, refresh } = useCached({
    key: ['community', 'post', id],
    read: async (db) => {
      const row = await db.posts.get(id);
      return row ? withWaiting(row.post, await waitingRows(db)) : null;
    },
    refresh: (db, signal) => refreshPost(db, id, signal),
    isEmpty: (post) => post === null,
    staleMs: 0,
  });
  return { post: data ?? undefined, error, refresh };
}

export function useVisitorPost(id: string): ShownPost {
  const query = useQuery({
    queryKey: ['visitor-post', id],
    queryFn: ({ signal }) => fetchPost(id, signal),
    staleTime: 60_000,
  });
  return { post: query.data, error: query.error, refresh: query.refetch };
}
