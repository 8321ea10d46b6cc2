import { expect, it } from 'vitest';
import { endsVerification } from './VerificationEnd.tsx';

it.each([
  ['the first photo was compared', true, ['a', 'b'], false],
  ['another compared photo is first', true, ['b', 'new'], false],
  ['a new photo is first', true, ['new', 'a'], true],
  ['no photo remains', true, [], false],
  ['the member is not verified', false, ['new'], false],
])('%s', (_, isVerified, photos, ends) => {
  expect(endsVerification({ isVerified, comparedPhotos: ['a', 'b'] }, photos)).toBe(ends);
});
