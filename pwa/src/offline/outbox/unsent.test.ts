import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import type { HeartwardDb } from '../store/db.ts';
import { CONVERSATION, freshDb, PEER, summary } from '../testkit.ts';
import { enqueue, type NewFile } from './outbox.ts';
import { findUnsent } from './unsent.ts';

vi.mock('./upload.ts', () => ({ uploadFile: () => new Promise(() => undefined) }));

let db: HeartwardDb;
beforeEach(async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined)); // no network: all rows wait
  db = await freshDb();
  await db.conversations.put({ ...summary(), userId: PEER, sortAt: '' });
  return () => vi.unstubAllGlobals();
});

const file = (localId: string, kind: 'image' | 'audio' | 'video'): NewFile => ({
  file: {
    localId,
    kind,
    mimeType: 'x/y',
    bytes: 1,
    width: null,
    height: null,
    durationMs: null,
    waveform: [],
    placeholder: '',
  },
  blob: new Blob(['x']),
  poster: null,
});

it('findUnsent does not count a receipt or an empty draft', async () => {
  await enqueue(db, { kind: 'receipt', conversationId: CONVERSATION, readSeq: 1 });
  await db.drafts.put({ conversationId: CONVERSATION, content: ' ', replyTo: 3, updatedAt: 0 });
  expect(await findUnsent(db)).toEqual({
    recordings: 0,
    messages: 0,
    photos: 0,
    likes: 0,
    reflections: 0,
    comments: 0,
    drafts: 0,
    changes: 0,
  });
});

it('findUnsent counts recordings, messages, likes, drafts and other changes separately', async () => {
  const message = { kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content: '' } as const;
  await enqueue(db, { ...message, content: 'hello' });
  await enqueue(db, { ...message, files: [file('p1', 'image'), file('p2', 'image')] });
  await enqueue(db, { ...message, files: [file('v1', 'audio')] });
  await enqueue(db, { ...message, files: [file('v2', 'video')] });
  await enqueue(db, { kind: 'like', toUserId: PEER, likeType: 'like' });
  await enqueue(db, { kind: 'pass', targetUserId: PEER });
  await enqueue(db, { kind: 'reaction', conversationId: CONVERSATION, seq: 1, emoji: '😍' });
  await db.drafts.put({ conversationId: CONVERSATION, content: 'I wanted to', updatedAt: 0 });
  await enqueue(db, { kind: 'postLike', postId: 'p', liked: true });
  await enqueue(db, { kind: 'comment', postId: 'p', content: 'Lovely' });
  localStorage.setItem('hw.story-draft', '{}');
  for (const [recordingId, index] of [
    ['left', 0],
    ['left', 1],
    ['under way', 0],
  ] as const)
    await db.chunks.put({
      recordingId,
      index,
      conversationId: CONVERSATION,
      kind: 'voice',
      mimeType: 'audio/mp4',
      blob: new Blob(['x']),
      elapsedMs: 1000,
      levels: [],
      poster: null,
    });
  const profileFile = { kind: 'profileFile', method: 'POST', path: '', bytes: new Blob(['x']) } as const;
  await enqueue(db, { ...profileFile, id: 'photo' });
  await enqueue(db, { ...profileFile, id: 'greeting', recorded: { durationMs: 900, waveform: [] } });
  expect(await findUnsent(db)).toEqual({
    recordings: 5,
    messages: 2,
    photos: 1,
    likes: 2,
    reflections: 0,
    comments: 1,
    drafts: 2,
    changes: 2,
  });
});

it('findUnsent counts changed settings, but not the time zone alone', async () => {
  await enqueue(db, { kind: 'settings', patch: { timeZone: 'Europe/Vienna' } });
  expect((await findUnsent(db)).changes).toBe(0);
  await enqueue(db, { kind: 'settings', patch: { sound: false } });
  expect((await findUnsent(db)).changes).toBe(1);
});

it('answers of the first run are added to those that wait, in one row', async () => {
  await enqueue(db, { kind: 'start', answers: { gender: 'woman', startStep: 'seek' } });
  await enqueue(db, { kind: 'start', answers: { interestedIn: ['man'] } });
  await enqueue(db, { kind: 'start', answers: { startStep: 'photo' } });
  expect((await db.outbox.toArray()).map(({ body }) => body)).toEqual([
    { kind: 'start', answers: { gender: 'woman', interestedIn: ['man'], startStep: 'photo' } },
  ]);
  expect((await findUnsent(db)).changes, 'a sign-out warns of them').toBe(1);
});
