import { expect, test } from 'vitest';
import { ApiError } from '../../api/request.ts';
import { decideEach } from './adminRequests.ts';

const refusal = (status: number, kind: string, code?: ApiError['code']) =>
  new ApiError(status, kind, 'Refused.', {}, null, code);

test('decideEach goes on after a row that another admin has to decide', async () => {
  const refusals: Record<string, ApiError> = {
    own: refusal(403, 'forbidden', 'for_another_admin'),
    staff: refusal(403, 'forbidden', 'for_admins'),
    unread: refusal(409, 'conflict', 'open_first'),
    gone: refusal(404, 'not_found'),
  };
  const ids = [...Object.keys(refusals), 'last'];
  const results = await decideEach(ids, (id) =>
    refusals[id] ? Promise.reject(refusals[id]) : Promise.resolve(),
  );
  expect(results.map(({ id, stored }) => [id, stored])).toEqual(ids.map((id) => [id, id === 'last']));
});

test('decideEach rejects when the caller has lost the role', async () => {
  const forbidden = refusal(403, 'forbidden', 'forbidden');
  await expect(decideEach(['a'], () => Promise.reject(forbidden))).rejects.toBe(forbidden);
});
