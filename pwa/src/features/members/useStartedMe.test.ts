import { expect, it } from 'vitest';
import type { Me } from '@/api/types.ts';
import { withAnswers } from './useStartedMe.ts';

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
