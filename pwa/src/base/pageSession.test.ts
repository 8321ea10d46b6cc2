import { expect, it } from 'vitest';
import { part, Session } from './pageSession.ts';

it('makes a part once, and stops what it registers, the newest first', async () => {
  const session = new Session('ann');
  const stopped: string[] = [];
  let made = 0;
  const partOf = part((of) => {
    made += 1;
    of.onStop(() => stopped.push('part'));
    return { session: of };
  });
  expect(partOf(partOf(session))).toBe(partOf(session));
  expect(made).toBe(1);
  session.onStop(() => stopped.push('newest'));
  await session.stop();
  await session.stop();
  expect(stopped).toEqual(['newest', 'part']);
});

it('stops at once what is registered while it stops, and later', async () => {
  const session = new Session('ann');
  const stopped: string[] = [];
  session.onStop(() => {
    expect(session.isStopped).toBe(true);
    session.onStop(() => stopped.push('while'));
  });
  await session.stop();
  session.onStop(() => stopped.push('after'));
  expect(stopped).toEqual(['while', 'after']);
});

it('stops every part, also after one has failed', async () => {
  const session = new Session('ann');
  const stopped: string[] = [];
  session.onStop(() => stopped.push('first'));
  session.onStop(() => {
    throw new Error('a part fails');
  });
  await session.stop();
  expect(stopped).toEqual(['first']);
});
