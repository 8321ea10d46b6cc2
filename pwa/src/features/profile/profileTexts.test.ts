import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Me, Recording } from '@/api/types.ts';
import { drain } from '@/offline/outbox/drain.ts';
import { PROFILE_TEXTS_ROW } from '@/offline/outbox/outbox.ts';
import { findUnsent } from '@/offline/outbox/unsent.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { drainEnv, FakeServer, freshDb, json, ME } from '@/offline/testkit.ts';
import { areTexts, holdTexts, readTexts, sendTexts, textsIn, withoutSaved } from './profileTexts.ts';

const voice = { id: 'v1' } as Recording;
const me = {
  id: ME,
  bio: 'old',
  loveReflection: '',
  occupation: '',
  prompts: [],
  photos: [],
} as unknown as Me;
const stored = (bio: string) => json(200, { ...me, bio });
let db: HeartwardDb;
let server: FakeServer;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  db = await freshDb();
  server = new FakeServer();
  server.intercept = ({ body }) => stored(body.bio ?? '');
  return () => vi.useRealTimers();
});

const send = () => drain(drainEnv(db, server).env, true);
const bodies = () => server.requests.map(({ method, path, body }) => ({ method, path, body }));

it('keeps each letter on the device, and sends the text a minute after the last one', async () => {
  await holdTexts(db, me, { bio: 'n' });
  vi.advanceTimersByTime(59_000);
  await holdTexts(db, me, { bio: 'new' });
  expect(await readTexts(db, me)).toEqual({ changes: { bio: 'new' }, rejection: null });
  expect((await findUnsent(db)).changes).toBe(1);
  vi.advanceTimersByTime(59_000);
  await send();
  expect(server.requests, 'not while the member is writing').toEqual([]);
  vi.advanceTimersByTime(1_000);
  await send();
  expect(bodies()).toEqual([
    { method: 'PATCH', path: '/api/users/me', body: { bio: 'new', before: { bio: 'old' } } },
  ]);
  expect(await readTexts(db, me)).toBeNull();
});

it('sends a saved text at once, and with it the texts from before the first letter', async () => {
  await holdTexts(db, me, { bio: 'ne' });
  await sendTexts(db, { ...me, bio: 'of another device' }, { bio: 'new', occupation: 'Baker' });
  await send();
  expect(bodies()).toMatchObject([
    { body: { bio: 'new', occupation: 'Baker', before: { bio: 'old', occupation: '' } } },
  ]);
});

it('compares what was written during a request with what the request has stored', async () => {
  await sendTexts(db, me, { bio: 'one' });
  server.intercept = async ({ body }) => {
    if (body.bio === 'one') await holdTexts(db, me, { bio: 'one and two' });
    return stored(body.bio ?? '');
  };
  await send();
  expect(server.requests, 'the member is still writing').toHaveLength(1);
  vi.advanceTimersByTime(60_000);
  await send();
  expect(bodies()[1]?.body).toEqual({ bio: 'one and two', before: { bio: 'one' } });
});

it('keeps a text that another device has changed, and compares it again with the same text before', async () => {
  server.intercept = () => json(409, { kind: 'conflict', detail: 'Changed', code: 'changed_elsewhere' });
  await sendTexts(db, me, { bio: 'mine' });
  await send();
  expect(await readTexts(db, me)).toEqual({ changes: { bio: 'mine' }, rejection: 'changedElsewhere' });
  await holdTexts(db, { ...me, bio: 'theirs' }, { bio: 'mine too' });
  expect((await db.outbox.get(PROFILE_TEXTS_ROW))?.body).toMatchObject({ before: { bio: 'old' } });
  server.intercept = () => json(422, { kind: 'invalid', detail: 'Too long.' });
  vi.advanceTimersByTime(60_000);
  await send();
  expect(await readTexts(db, me)).toEqual({ changes: { bio: 'mine too' }, rejection: 'Too long.' });
});

it('sends nothing once the text is as before', async () => {
  await holdTexts(db, me, { bio: 'new' });
  await holdTexts(db, me, {});
  vi.advanceTimersByTime(60_000);
  await send();
  expect(server.requests).toEqual([]);
});

it('keeps the recorded answers of prompts, and deletes none by itself', async () => {
  const spoken = { ...me, prompts: [{ question: 'Q', answer: '', voice }] } as Me;
  const prompts = [{ question: 'Q', answer: 'written too', voice }];
  await sendTexts(db, spoken, { prompts });
  expect(await readTexts(db, spoken)).toEqual({ changes: { prompts }, rejection: null });
  await send();
  expect(bodies()[0]?.body).toEqual({
    prompts: [{ question: 'Q', answer: 'written too', voiceId: 'v1' }],
    before: { prompts: [{ question: 'Q', answer: '' }] },
  });
  expect(textsIn({ bio: 'b', prompts: [], removedVoiceIds: ['v1'] })).toEqual({ bio: 'b' });
  expect([areTexts({ bio: 'b', prompts }), areTexts({ bio: 'b', heightCm: 170 })]).toEqual([true, false]);
});

it('removes from a draft what was saved, and nothing that was written since', () => {
  const prompts = [{ question: 'Q', answer: 'a', voice: null }];
  const saved = {
    kind: 'profileTexts',
    texts: { bio: 'b', occupation: 'Baker', prompts: [{ question: 'Q', answer: 'a' }] },
    before: {},
  } as const;
  const texts = { ...saved.texts, prompts: [...saved.texts.prompts] };
  expect(
    withoutSaved({ bio: 'b', occupation: 'Bakers', prompts, heightCm: 170 }, { ...saved, texts }),
  ).toEqual({
    occupation: 'Bakers',
    heightCm: 170,
  });
});
