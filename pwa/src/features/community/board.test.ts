import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommentThread, PostCard } from '@/api/types.ts';
import { drain } from '@/offline/outbox/drain.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { onPurge, purgeMember } from '@/offline/store/purge.ts';
import { drainEnv, FakeServer, freshDb, json, ME, PEER } from '@/offline/testkit.ts';
import { loadNextPosts, POPULAR, readBoard, refreshBoard, refreshPost } from './board.ts';
import {
  addComment,
  deleteComment,
  loadReplies,
  mergeComments,
  readUnsentComments,
  refreshComments,
} from './comments.ts';
import { communityData } from './communityData.ts';
import { toggleLike } from './postLikes.ts';

onPurge(communityData);

let db: HeartwardDb;
let server: FakeServer;

beforeEach(async () => {
  db = await freshDb();
  server = new FakeServer();
  vi.stubGlobal('fetch', server.fetch);
  return () => vi.unstubAllGlobals();
});

const ALL = { tab: 'all', tag: '', words: '' } as const;
const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString();

const card = (id: string, change: Partial<PostCard> = {}): PostCard => ({
  id,
  title: `Title of ${id}`,
  excerpt: 'A summary',
  category: 'advice',
  isAdminPost: false,
  tags: ['advice'],
  featuredImage: null,
  publishedAt: at(0),
  author: { id: PEER, fullName: 'Ada Moss', profileImageUrl: null },
  likeCount: 3,
  commentCount: 1,
  likedByMe: false,
  hasMore: true,
  ...change,
});

const thread = (id: string, minute: number, change: Partial<CommentThread> = {}): CommentThread => ({
  id,
  postId: 'p1',
  parentId: null,
  content: `Comment ${id}`,
  author: { id: PEER, fullName: 'Ada Moss', profileImageUrl: null },
  createdAt: at(minute),
  isOwn: false,
  isDeleted: false,
  isPending: false,
  editedAt: null,
  isFormerMember: false,
  replies: [],
  repliesCursor: '',
  ...change,
});

type Rows = { rows: unknown[]; next?: string };

/** Responds to GET requests with these pages by path with query. */
function serve(pages: Record<string, Rows | object>): void {
  server.intercept = ({ method, path }) => {
    if (method !== 'GET') return undefined;
    const page = pages[path];
    if (!page) return json(404, { detail: 'gone' });
    if (!('rows' in page)) return json(200, page);
    const { rows, next } = page as Rows;
    return json(200, rows, next ? { Link: `</x?cursor=${next}>; rel="next"` } : {});
  };
}

const ids = async (list: Parameters<typeof readBoard>[1] = ALL) =>
  (await readBoard(db, list))?.posts.map(({ id }) => id);
const onBoard = async (id: string) => (await readBoard(db, ALL))?.posts.find((post) => post.id === id);

const LIST = '/api/community/posts';
const COMMENTS = '/api/community/posts/p1/comments';

describe('a stored list', () => {
  it('has its pages in order, each category and search for itself, and reads without a connection', async () => {
    serve({
      [LIST]: { rows: [card('p1'), card('p2')], next: 'two' },
      [`${LIST}?cursor=two`]: { rows: [card('p2'), card('p3')] },
      [`${LIST}?category=blog`]: { rows: [card('p4')] },
      [`${LIST}?q=slow%20mornings`]: { rows: [card('p3')] },
      [`${LIST}?q=slow+mornings`]: { rows: [card('p3')] },
    });
    expect(await ids()).toBeUndefined();
    await refreshBoard(db, ALL);
    await loadNextPosts(db, ALL);
    await refreshBoard(db, { tab: 'blog', tag: '', words: '' });
    await refreshBoard(db, { tab: 'all', tag: '', words: 'slow mornings' });
    serve({});
    expect(await ids()).toEqual(['p1', 'p2', 'p3']);
    expect(await ids({ tab: 'blog', tag: '', words: '' })).toEqual(['p4']);
    expect(await ids({ tab: 'all', tag: '', words: 'slow mornings' })).toEqual(['p3']);
    expect(await ids({ tab: 'all', tag: '', words: 'other words' })).toBeUndefined();
  });

  it('keeps later pages when it is refreshed, unless posts may be missing between', async () => {
    serve({
      [LIST]: { rows: [card('p1'), card('p2')], next: 'two' },
      [`${LIST}?cursor=two`]: { rows: [card('p3')] },
    });
    await refreshBoard(db, ALL);
    await loadNextPosts(db, ALL);
    serve({ [LIST]: { rows: [card('p0'), card('p1')], next: 'one' } });
    await refreshBoard(db, ALL);
    expect(await ids()).toEqual(['p0', 'p1', 'p2', 'p3']);
    expect((await readBoard(db, ALL))?.next).toBe(false);
    serve({ [LIST]: { rows: [card('p8'), card('p9')], next: 'nine' } });
    await refreshBoard(db, ALL);
    expect(await ids()).toEqual(['p8', 'p9']);
    expect((await readBoard(db, ALL))?.next).toBe(true);
  });

  it('has the words that its search has found, which no other list shows', async () => {
    const search = { tab: 'all', tag: '', words: 'rain' } as const;
    const found = (id: string) => card(id, { matches: ['Rain', id] });
    serve({
      [LIST]: { rows: [card('p1')] },
      [`${LIST}?q=rain`]: { rows: [found('p1')], next: 'two' },
      [`${LIST}?q=rain&cursor=two`]: { rows: [found('p2')] },
    });
    await refreshBoard(db, search);
    await loadNextPosts(db, search);
    await refreshBoard(db, ALL);
    const matches = async (list: Parameters<typeof readBoard>[1]) =>
      (await readBoard(db, list))?.posts.map((post) => post.matches);
    expect(await matches(search)).toEqual([
      ['Rain', 'p1'],
      ['Rain', 'p2'],
    ]);
    expect(await matches(ALL)).toEqual([undefined]);
  });

  it('is that of its tag', async () => {
    serve({ [`${LIST}?tag=tea`]: { rows: [card('p1')] }, [LIST]: { rows: [card('p2')] } });
    await refreshBoard(db, { ...ALL, tag: 'tea' });
    await refreshBoard(db, ALL);
    expect(await ids({ ...ALL, tag: 'tea' })).toEqual(['p1']);
    expect(await ids({ ...ALL, tag: 'coffee' })).toBeUndefined();
    expect(await ids()).toEqual(['p2']);
  });

  it('of the popular posts has their order, and the likes that wait', async () => {
    serve({
      '/api/community/popular': { rows: [card('p2'), card('p1')] },
      [LIST]: { rows: [card('p1'), card('p2')] },
    });
    await refreshBoard(db, POPULAR);
    await refreshBoard(db, ALL);
    await toggleLike(db, { id: 'p2', likedByMe: false });
    expect((await readBoard(db, POPULAR))?.posts.map(({ id, likeCount }) => [id, likeCount])).toEqual([
      ['p2', 4],
      ['p1', 3],
    ]);
    expect(await ids()).toEqual(['p1', 'p2']);
  });

  it('keeps the text of a post that was read', async () => {
    serve({
      [LIST]: { rows: [card('p1')] },
      [`${LIST}/p1`]: { ...card('p1'), contentHtml: '<p>All of it</p>', status: 'published', isOwn: false },
    });
    await refreshPost(db, 'p1');
    await refreshBoard(db, ALL);
    expect((await db.posts.get('p1'))?.post.contentHtml).toBe('<p>All of it</p>');
    serve({});
    await expect(refreshPost(db, 'p1')).rejects.toThrow('gone');
    expect(await ids()).toEqual([]);
  });
});

describe('a like', () => {
  it('is shown at once, is sent once, and is then the count of the server', async () => {
    serve({ [LIST]: { rows: [card('p1')] } });
    await refreshBoard(db, ALL);
    await toggleLike(db, { id: 'p1', likedByMe: false });
    await toggleLike(db, { id: 'p1', likedByMe: true });
    expect(await onBoard('p1')).toMatchObject({ likedByMe: false, likeCount: 3 });
    await toggleLike(db, { id: 'p1', likedByMe: false });
    expect(await onBoard('p1')).toMatchObject({ likedByMe: true, likeCount: 4 });
    server.intercept = () => json(200, { likeCount: 9, likedByMe: true });
    server.requests.length = 0;
    await drain(drainEnv(db, server).env, true);
    expect(server.requests).toEqual([{ method: 'POST', path: `${LIST}/p1/like`, body: { liked: true } }]);
    expect(await onBoard('p1')).toMatchObject({ likedByMe: true, likeCount: 9 });
    expect(await db.outbox.count()).toBe(0);
  });

  it('is taken back when the server rejects it, and waits while there is no connection', async () => {
    serve({ [LIST]: { rows: [card('p1')] } });
    await refreshBoard(db, ALL);
    await toggleLike(db, { id: 'p1', likedByMe: false });
    server.intercept = () => {
      throw new TypeError('no network');
    };
    await drain(drainEnv(db, server).env, true);
    expect(await onBoard('p1')).toMatchObject({ likedByMe: true });
    server.intercept = () => json(404, { detail: 'We could not find that post.' });
    await drain(drainEnv(db, server).env, true);
    expect(await onBoard('p1')).toMatchObject({ likedByMe: false, likeCount: 3 });
    expect(await db.outbox.count()).toBe(0);
  });
});

describe('a comment', () => {
  const own = (id: string, change: object = {}) => ({
    ...thread(id, 5, {
      isOwn: true,
      content: 'Lovely',
      author: { id: ME, fullName: 'Me', profileImageUrl: null },
    }),
    ...change,
  });

  beforeEach(async () => {
    serve({ [LIST]: { rows: [card('p1')] }, [COMMENTS]: { rows: [thread('c1', 1)] } });
    await refreshBoard(db, ALL);
    await refreshComments(db, 'p1');
  });

  it('waits, counted, and is then stored at its place', async () => {
    await addComment(db, 'p1', 'Lovely');
    await addComment(db, 'p1', 'Thank you', 'c1');
    expect(await onBoard('p1')).toMatchObject({ commentCount: 3 });
    expect((await readUnsentComments(db, 'p1')).map(({ content, parentId }) => [content, parentId])).toEqual([
      ['Lovely', undefined],
      ['Thank you', 'c1'],
    ]);
    server.requests.length = 0;
    server.intercept = ({ body }) =>
      json(201, own(body.parentId ? 'r1' : 'c2', { parentId: body.parentId ?? null, content: body.content }));
    await drain(drainEnv(db, server).env, true);
    expect(server.requests.map(({ path, body }) => [path, body.content, body.parentId])).toEqual([
      [COMMENTS, 'Lovely', undefined],
      [COMMENTS, 'Thank you', 'c1'],
    ]);
    expect(await readUnsentComments(db, 'p1')).toEqual([]);
    expect(await onBoard('p1')).toMatchObject({ commentCount: 3 });
    const stored = (await db.posts.get('p1'))?.comments?.items;
    expect(stored?.map(({ id, replies }) => [id, replies.map((reply) => reply.id)])).toEqual([
      ['c1', ['r1']],
      ['c2', []],
    ]);
  });

  it('stays with its reason when it is rejected, and no longer counts', async () => {
    await addComment(db, 'p1', 'Rude');
    server.intercept = () => json(403, { detail: 'You can write here again when your profile is active.' });
    await drain(drainEnv(db, server).env, true);
    expect(await readUnsentComments(db, 'p1')).toMatchObject([
      { content: 'Rude', state: 'failed', reason: 'You can write here again when your profile is active.' },
    ]);
    expect(await onBoard('p1')).toMatchObject({ commentCount: 1 });
  });

  it('is gone after its deletion, when the server says so', async () => {
    server.intercept = () => json(503, {});
    await expect(deleteComment(db, 'p1', 'c1')).rejects.toThrow();
    expect((await db.posts.get('p1'))?.comments?.items).toHaveLength(1);
    serve({ [COMMENTS]: { rows: [] } });
    await deleteComment(db, 'p1', 'c1');
    expect((await db.posts.get('p1'))?.comments?.items).toEqual([]);
    expect(await onBoard('p1')).toMatchObject({ commentCount: 0 });
  });

  it('gets the replies after the first ones, each once', async () => {
    const reply = (id: string) => ({ ...thread(id, 3), parentId: 'c1' });
    const long = thread('c1', 1, { replies: [reply('r1')], repliesCursor: 'more' });
    serve({
      [COMMENTS]: { rows: [long] },
      [`${COMMENTS}?cursor=more&parentId=c1`]: { rows: [reply('r1'), reply('r2')] },
    });
    await refreshComments(db, 'p1');
    await loadReplies(db, 'p1', long);
    const [stored] = (await db.posts.get('p1'))?.comments?.items ?? [];
    expect(stored?.replies.map(({ id }) => id)).toEqual(['r1', 'r2']);
    expect(stored?.repliesCursor).toBe('');
  });

  it('is shown once and in the order of time, whichever page had it first', () => {
    const merged = mergeComments([thread('c1', 1), thread('mine', 9)], [thread('c2', 2), thread('mine', 9)]);
    expect(merged.map(({ id }) => id)).toEqual(['c1', 'c2', 'mine']);
  });

  it('leaves replies of others when its author is removed from the device', async () => {
    const by = (id: string) => ({ id, fullName: 'X', profileImageUrl: null });
    const reply = { ...thread('r1', 3), author: by(ME) };
    const threads = [
      thread('c1', 1, { replies: [reply] }),
      thread('c2', 2),
      thread('c3', 3, { author: by(ME) }),
    ];
    serve({
      [LIST]: { rows: [card('p1', { author: by(ME), commentCount: 4 })] },
      [COMMENTS]: { rows: threads },
    });
    await refreshBoard(db, ALL);
    await refreshComments(db, 'p1');
    await purgeMember(db, PEER);
    const row = await db.posts.get('p1');
    expect(row?.post.commentCount).toBe(2);
    expect(row?.comments?.items).toMatchObject([
      { id: 'c1', content: '', isDeleted: true, author: null, replies: [{ id: 'r1' }] },
      { id: 'c3' },
    ]);
  });
});
