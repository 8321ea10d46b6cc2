import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';
import type { Me } from '@/api/types.ts';
import { drain } from '@/offline/outbox/drain.ts';
import { drainEnv, FakeServer, freshDb, json, ME } from '@/offline/testkit.ts';
import { saveAnswers } from './startAnswers.ts';
import { readAnswers, withAnswers } from './useStartedMe.ts';

const me = { startStep: 'seek', gender: 'woman', interestedIn: [], welcomed: false } as unknown as Me;

it('lays unsent answers over the profile', () => {
  expect(withAnswers(me, { gender: 'man', startStep: 'photo' })).toMatchObject({
    gender: 'man',
    startStep: 'photo',
  });
});

it('does not lead back a member who has come further', () => {
  expect(withAnswers({ ...me, startStep: 'prompt' }, { gender: 'man', startStep: 'seek' })).toMatchObject({
    gender: 'man',
    startStep: 'prompt',
  });
  const finished = { ...me, startStep: null, welcomed: true };
  expect(withAnswers(finished, { startStep: 'photo' }).startStep).toBeNull();
});

it('does not lead back a member whose sent answer no screen shows yet', async () => {
  const db = await freshDb();
  const server = new FakeServer();
  server.intercept = ({ body }) => json(200, { ...me, ...body, id: ME, loveReflection: '' });
  await db.me.put({ ...me, id: ME });
  await saveAnswers(db, { interestedIn: ['woman'], startStep: 'photo' });
  expect(withAnswers(me, await readAnswers(db))).toMatchObject({
    interestedIn: ['woman'],
    startStep: 'photo',
  });
  await drain(drainEnv(db, server).env, true);
  expect(await db.outbox.count()).toBe(0);
  expect(withAnswers(me, await readAnswers(db)).startStep).toBe('photo');
});
