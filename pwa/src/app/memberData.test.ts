import 'fake-indexeddb/auto';
import type { Table } from 'dexie';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Candidate, Match, PlannedDate } from '@/api/types.ts';
import { enqueue } from '@/offline/outbox/outbox.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { putFile } from '@/offline/store/fileRows.ts';
import { MERGE_TABLES, mergePage, mergeSummary } from '@/offline/store/merge.ts';
import { getMeta, type Meta, type MetaKey, setMeta } from '@/offline/store/meta.ts';
import { purgeMember } from '@/offline/store/purge.ts';
import type { PostRow } from '@/offline/store/rows.ts';
import { CONVERSATION, freshDb, ME, message, PEER, summary } from '@/offline/testkit.ts';
import { registerMemberData } from './memberData.ts';

registerMemberData();

let db: HeartwardDb;
const OTHER = '019a0000-0000-7000-8000-00000000000c';

/** Stores the member in every table and meta key that can contain one. */
async function storeEverywhere(id: string, conversationId: string): Promise<void> {
  const user = { ...summary().user, id, profileImageUrl: `/files/${id}/thumb.webp` };
  const photos = [{ url: `/files/${id}/full.webp`, thumbUrl: `/files/${id}/thumb.webp` }];
  const headerBannerImage = { url: `/files/${id}-banner/full.webp` };
  const videoGreeting = { url: `/files/${id}-video/media`, posterUrl: `/files/${id}-video/poster.webp` };
  const candidate = { ...user, photos, headerBannerImage, videoGreeting } as unknown as Candidate;
  await db.feed.bulkPut([
    { list: 'forYou', id, rank: 0, candidate, fetchedAt: 1 },
    { list: 'discover', id, rank: 0, candidate, fetchedAt: 1 },
  ]);
  await db.profiles.put({ id, member: candidate, isCard: true, fetchedAt: 1 });
  await db.matches.put({ id: `match-${id}`, user, conversationId } as Match);
  await db.likes.put({
    id: `like-${id}`,
    user,
    likeType: 'like',
    comment: '',
    photoUrl: null,
    prompt: null,
    answer: null,
    likedAt: '',
  });
  const passedUser = { ...user, profileImageUrl: `/files/${id}-face/thumb.webp` };
  await db.passes.put({ user: passedUser, passedAt: '' });
  await db.transact(MERGE_TABLES, async (tx) => {
    await mergeSummary(tx, summary({ id: conversationId, user }));
    await mergePage(tx, ME, [message(1, { conversationId, senderId: id, clientId: `client-${id}` })]);
  });
  await db.drafts.put({ conversationId, content: 'Dear', updatedAt: 1 });
  const fileRow = { conversationId, blob: new Blob([id]), poster: null };
  await putFile(db, { ...fileRow, id: `blob-${id}`, keep: 'heard', bytes: 1 });
  const recorded = { kind: 'voice' as const, mimeType: 'audio/webm', elapsedMs: 1000, levels: [] };
  await db.chunks.put({ ...fileRow, ...recorded, recordingId: `recording-${id}`, index: 0 });
  await db.dates.put({ id: `date-${id}`, conversationId, at: '' } as PlannedDate);
  const author = { id, fullName: 'Ada Moss', profileImageUrl: `/files/${id}-author/thumb.webp` };
  const card = { id: `post-${id}`, author, commentCount: 1, likeCount: 0, likedByMe: false };
  const comment = {
    id: `comment-${id}`,
    author,
    content: 'By them',
    createdAt: '',
    replies: [],
    repliesCursor: '',
  };
  const own = { ...comment, id: `own-${id}`, author: { ...author, id: ME } };
  const replied = { ...comment, id: `replied-${id.slice(-1)}`, replies: [own] };
  const post = { ...card, featuredImage: { url: `/api/community/pictures/${id}/full.webp` } };
  await db.posts.put({
    id: card.id,
    post,
    comments: { items: [comment, replied], next: null },
    fetchedAt: 1,
  } as unknown as PostRow);
  await enqueue(db, { kind: 'postLike', postId: card.id, liked: true });
  await enqueue(db, { kind: 'comment', postId: card.id, content: 'not sent yet' });
  await setMeta(db, 'passes', [...(await getMeta(db, 'passes')), { id, rows: [] }]);
  await enqueue(db, { kind: 'message', conversationId, recipientId: id, content: 'not sent yet' });
  await enqueue(db, { kind: 'like', toUserId: id, likeType: 'like' });
  await enqueue(db, { kind: 'pass', targetUserId: id });
  await enqueue(db, { kind: 'receipt', conversationId, readSeq: 1 });
}

const traces = async () =>
  JSON.stringify(await Promise.all((db.tables as Table[]).map((table) => table.toArray())));

beforeEach(async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  db = await freshDb();
  return () => vi.unstubAllGlobals();
});

it('removes all data of a member and none of others', async () => {
  await storeEverywhere(OTHER, 'conversation-other');
  const before = await Promise.all((db.tables as Table[]).map((table) => table.count()));
  await storeEverywhere(PEER, CONVERSATION);
  expect(await purgeMember(db, PEER)).toBe(1);
  const remaining = await traces();
  expect(remaining).not.toContain(PEER);
  expect(remaining).not.toContain(CONVERSATION);
  expect(await getMeta(db, 'passes')).toEqual([{ id: OTHER, rows: [] }]);
  expect(await Promise.all((db.tables as Table[]).map((table) => table.count()))).toEqual(before);
});

/** Returns values with the member for every meta key that can contain one. A new key is a type error until listed. */
const valuesWith = (id: string): { [K in MetaKey]: Meta[K] | 'names no member' } => {
  const user = { ...summary().user, id };
  return {
    activity: { items: [{ id: 'a', kind: 'liked', at: '', text: '', path: '', user }], next: null },
    notifications: {
      items: [
        {
          id: 'n',
          kind: 'matched',
          at: '',
          text: '',
          path: `/profile/${id}`,
          category: null,
          isRead: false,
          user,
        },
      ],
      next: null,
    },
    'notifications:unread': 'names no member',
    badges: 'names no member',
    moments: {
      items: [
        {
          id: 'm',
          momentType: 'match',
          title: 'New match',
          caption: '',
          imageUrl: null,
          shareCount: 0,
          createdAt: '',
          badge: null,
          peer: { id, firstName: user.firstName },
          consent: 'given',
        },
      ],
      next: null,
      consents: [{ momentId: 'm', from: user, given: true, askedAt: '' }],
    },
    'dates:next': 'names no member',
    conversationsOnServer: 'names no member',
    datesPlanned: 'names no member',
    'feed:discover': 'names no member',
    'feed:forYou': 'names no member',
    'feed:forYou:remaining': 'names no member',
    'feed:discover:remaining': 'names no member',
    'feed:forYou:newPeopleAt': 'names no member',
    'feed:discover:newPeopleAt': 'names no member',
    filters: 'names no member',
    pulse: 'names no member',
    'pulse:edit': 'names no member',
    'pulse:lookBack': 'names no member',
    'pulse:year:2026': 'names no member',
    graduation: {
      isGraduated: true,
      couple: null,
      requests: [{ id: 'g', from: user, legacyMessage: '', onWall: true, pictures: [], requestedAt: '' }],
      ended: null,
    },
    'graduation:dismissed': 'names no member',
    legacyWall: 'names no member',
    'likes:allowance': 'names no member',
    'likes:next': 'names no member',
    'likes:remaining': 'names no member',
    'likes:seenAt': 'names no member',
    passes: [{ id, rows: [] }],
    ownPosts: 'names no member',
    'passes:next': 'names no member',
    'passes:lapsedNext': 'names no member',
    'push:badge': 'names no member',
    'push:navigate': { path: `/messages/${id}`, at: 0 },
    'recordings:releasedAt': 'names no member',
    referrals: 'names no member',
    settings: 'names no member',
    syncCursor: 'names no member',
    undelivered: 'names no member',
    'voices:heard': 'names no member',
  };
};

it('covers every table and meta key that can contain a member', async () => {
  await storeEverywhere(PEER, CONVERSATION);
  await db.drafts.put({ conversationId: PEER, content: 'A request', updatedAt: 1 });
  for (const [key, value] of Object.entries(valuesWith(PEER)))
    if (value !== 'names no member') await setMeta(db, key as MetaKey, value);
  const memberTables = (db.tables as Table[]).filter(
    ({ name }) => !['me', 'blocks', 'profileFiles'].includes(name),
  );
  const counts = await Promise.all(memberTables.map(async (table) => [table.name, await table.count()]));
  expect(
    counts.filter(([, count]) => count === 0),
    'a table without a row of the member',
  ).toEqual([]);
  await purgeMember(db, PEER);
  expect(await traces()).not.toContain(PEER);
});

it('removes their photos from the offline cache', async () => {
  await storeEverywhere(PEER, CONVERSATION);
  const deletions: string[] = [];
  vi.stubGlobal('caches', {
    keys: async () => ['hw-files-me-thumb.webp', 'workbox-precache'],
    open: async (name: string) => ({
      delete: async (address: string) => deletions.push(`${name} ${address}`),
    }),
  });
  await purgeMember(db, PEER);
  expect([...new Set(deletions)].sort()).toEqual([
    `hw-files-me-thumb.webp /api/community/pictures/${PEER}/full.webp`,
    `hw-files-me-thumb.webp /files/${PEER}-author/thumb.webp`,
    `hw-files-me-thumb.webp /files/${PEER}-banner/full.webp`,
    `hw-files-me-thumb.webp /files/${PEER}-face/thumb.webp`,
    `hw-files-me-thumb.webp /files/${PEER}-video/media`,
    `hw-files-me-thumb.webp /files/${PEER}-video/poster.webp`,
    `hw-files-me-thumb.webp /files/${PEER}/full.webp`,
    `hw-files-me-thumb.webp /files/${PEER}/thumb.webp`,
  ]);
});
