import { expect, test } from 'vitest';
import { newPeopleText } from './newPeople.ts';

test('the note about the daily limit says when others are shown, and ends at that time', () => {
  const evening = new Date(2026, 5, 1, 17, 0);
  const at = evening.toISOString();
  expect(newPeopleText(at, new Date(2026, 5, 1, 9, 30))).toContain('New people come again today at 5:00 PM.');
  expect(newPeopleText(at, new Date(2026, 4, 31, 18, 0))).toContain('come again tomorrow at 5:00 PM.');
  expect(newPeopleText(at, evening)).toBeNull();
  expect(newPeopleText(null)).toBeNull();
});
