import { describe, expect, test } from 'vitest';
import { filterDefaults } from '@/api/defaults.gen.ts';
import type { FilterSet } from '@/api/types.ts';
import { wordListNames } from '@/domain/profile/words.ts';
import { filterGroups } from './filterGroups.tsx';
import {
  activeCount,
  filtersOf,
  heightRangeText,
  peopleText,
  reset,
  sameFilters,
  shownCount,
  withActivity,
  withDefaults,
} from './filterSet.ts';

const lifestyle = (change: Partial<FilterSet['lifestyle']>): FilterSet => ({
  ...filterDefaults,
  lifestyle: { ...filterDefaults.lifestyle, ...change },
});
const location = (change: Partial<FilterSet['location']>): FilterSet => ({
  ...filterDefaults,
  location: { ...filterDefaults.location, ...change },
});
const compatibility = (change: Partial<FilterSet['compatibility']>): FilterSet => ({
  ...filterDefaults,
  compatibility: { ...filterDefaults.compatibility, ...change },
});

test('each filter is counted with any value, except genders, last activity and the order by likes', () => {
  const changedValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return ['One'];
    if (value === null || typeof value === 'string') return 'other';
    return typeof value === 'number' ? value + 1 : !value;
  };
  const uncounted: string[] = [];
  const visit = (group: object, path: string, build: (changed: object) => object) => {
    for (const [name, value] of Object.entries(group)) {
      const change = (changed: unknown) => build({ ...group, [name]: changed });
      if (value !== null && typeof value === 'object' && !Array.isArray(value))
        visit(value, `${path}${name}.`, change);
      else if (activeCount(change(changedValue(value)) as FilterSet) !== 1) uncounted.push(path + name);
    }
  };
  visit(filterDefaults, '', (changed) => changed);
  expect(uncounted).toEqual([
    'interestedIn',
    'compatibility.recentlyActive',
    'lastActiveWithin',
    'mlRecommendations',
  ]);
});

test('the genders are in the number that is shown, and are not reset', () => {
  expect(shownCount(filterDefaults)).toBe(0);
  const women = { ...filterDefaults, interestedIn: ['woman' as const] };
  expect(shownCount(women)).toBe(1);
  expect(shownCount({ ...women, verifiedOnly: true })).toBe(2);
  expect(shownCount(reset({ ...women, verifiedOnly: true }))).toBe(1);
});

test('a stored set without the fields of this version gets their defaults', () => {
  for (const name of Object.keys(filterDefaults)) {
    const { [name as keyof FilterSet]: _, ...older } = { ...filterDefaults, verifiedOnly: true };
    expect(withDefaults(older)).toEqual(
      name === 'verifiedOnly' ? filterDefaults : { ...filterDefaults, verifiedOnly: true },
    );
  }
  const older = { ageRange: [30, 40], location: { city: 'Boise' } } as unknown as FilterSet;
  expect(withDefaults(older)).toEqual({
    ...filterDefaults,
    ageRange: [30, 40],
    location: { ...filterDefaults.location, city: 'Boise' },
  });
});

describe('the number of active filters', () => {
  test('is 0 for the defaults, for any last activity and for the order by likes', () => {
    expect(activeCount(filterDefaults)).toBe(0);
    expect(activeCount(withActivity(filterDefaults, 'any'))).toBe(0);
    expect(activeCount({ ...filterDefaults, mlRecommendations: true })).toBe(0);
  });

  test.each<[string, FilterSet]>([
    ['the youngest age', { ...filterDefaults, ageRange: [19, 65] }],
    ['the oldest age', { ...filterDefaults, ageRange: [18, 64] }],
    ['a smaller distance', location({ maxDistance: 25 })],
    ['any distance', location({ maxDistance: null })],
    ['a height', { ...filterDefaults, height: { minCm: 160, maxCm: 180 } }],
    ['the same state', location({ sameState: true })],
    ['one town', location({ city: 'Portland' })],
    ['intentions', { ...filterDefaults, intentionTags: ['Healing', 'Friendship'] }],
    ['children wanted or not', lifestyle({ wantsChildren: false })],
    ['children', lifestyle({ hasChildren: true })],
    ['education', lifestyle({ education: 'masters' })],
    ['religion', lifestyle({ religion: 'other' })],
    ['a minimum score', compatibility({ minCompatibilityScore: 5 })],
    ['featured', compatibility({ featuredOnly: true })],
    ['the newest first', compatibility({ prioritizeNewUsers: true })],
    ['verified', { ...filterDefaults, verifiedOnly: true }],
    ['a voice', { ...filterDefaults, hasVoiceGreeting: true }],
    ['a video', { ...filterDefaults, hasVideoIntroduction: true }],
    ['completeness', { ...filterDefaults, profileCompleteness: 10 }],
    ...wordListNames.map((name): [string, FilterSet] => [
      name,
      { ...filterDefaults, [name]: ['One', 'Two'] },
    ]),
  ])('is 1 for %s', (_, set) => {
    expect(activeCount(set)).toBe(1);
  });

  test('counts every changed filter', () => {
    const set = {
      ...location({ maxDistance: null, sameState: true }),
      ageRange: [30, 40] as [number, number],
    };
    expect(activeCount(set)).toBe(3);
  });
});

test('"recently active" is derived from a last activity of a week or less', () => {
  const recent = (within: FilterSet['lastActiveWithin']) =>
    withActivity(filterDefaults, within).compatibility.recentlyActive;
  expect(['1d', '3d', '1w', '1m', 'any'].map((within) => recent(within as '1d'))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('a reset sets the filterDefaults and keeps the genders', () => {
  const set = { ...lifestyle({ religion: 'jewish' }), verifiedOnly: true, interestedIn: ['man' as const] };
  expect(reset(set)).toEqual({ ...filterDefaults, interestedIn: ['man'] });
});

test('filters are equal with keys and words in any order, and differ by one number', () => {
  const { verifiedOnly, ...rest } = { ...filterDefaults, intentionTags: ['a', 'b'] };
  expect(sameFilters({ ...rest, verifiedOnly }, { verifiedOnly, ...rest, intentionTags: ['b', 'a'] })).toBe(
    true,
  );
  expect(sameFilters(filterDefaults, location({ maxDistance: null }))).toBe(false);
  expect(
    sameFilters({ ...filterDefaults, ageRange: [18, 30] }, { ...filterDefaults, ageRange: [18, 31] }),
  ).toBe(false);
});

test('peopleText has singular, plural and a lower bound', () => {
  expect(peopleText({ count: 1, more: false })).toBe('1 person');
  expect(peopleText({ count: 23, more: false })).toBe('23 people');
  expect(peopleText({ count: 1000, more: true })).toBe('1,000+ people');
});

test('a height has a lower limit, an upper limit, both or none', () => {
  expect(heightRangeText(null, null)).toBe('Any');
  expect(heightRangeText(170, null)).toBe('170 cm (5′7″) or more');
  expect(heightRangeText(null, 190)).toBe('190 cm (6′3″) or less');
  expect(heightRangeText(170, 190)).toBe('170 cm (5′7″) to 190 cm (6′3″)');
});

test('the editor has an input for each filter, once', () => {
  const beforeGroups = ['interestedIn', 'ageRange', 'location.maxDistance'];
  const paths = [...beforeGroups, ...filterGroups.flatMap((group) => group.paths)];
  expect(paths.toSorted()).toEqual(
    filtersOf(filterDefaults)
      .map(([path]) => path)
      .toSorted(),
  );
});
