/** Pure functions on a filter set: defaults, changes, and the number of active filters. */
import type { FilterSet } from '@/api/types.ts';
import { noWords } from '@/api/words.ts';

export type ActiveWithin = FilterSet['lastActiveWithin'];

/** The default filters, the same as the server's. */
export const defaults: FilterSet = {
  ageRange: [18, 65],
  location: { maxDistance: 50, sameState: false, city: '' },
  intentionTags: [],
  lifestyle: { hasChildren: null, wantsChildren: null, education: null, religion: null },
  compatibility: {
    minCompatibilityScore: 0,
    prioritizeNewUsers: false,
    featuredOnly: false,
    recentlyActive: true,
  },
  lastActiveWithin: '1w',
  profileCompleteness: 0,
  hasVoiceGreeting: false,
  hasVideoIntroduction: false,
  verifiedOnly: false,
  ...noWords,
  mlRecommendations: false,
};

/** Adds the defaults of fields that a set of an older version or server lacks. */
export function withDefaults(set: Partial<FilterSet>): FilterSet {
  return {
    ...defaults,
    ...set,
    location: { ...defaults.location, ...set.location },
    lifestyle: { ...defaults.lifestyle, ...set.lifestyle },
    compatibility: { ...defaults.compatibility, ...set.compatibility },
  };
}

/** Returns the set after Reset in the settings, which keeps the fields that only Discover shows. */
export function settingsReset(set: FilterSet): FilterSet {
  return withActivity(
    {
      ...set,
      ageRange: [18, 50],
      location: { ...set.location, maxDistance: 50, city: '' },
      intentionTags: [],
      profileCompleteness: 0,
      hasVoiceGreeting: false,
      hasVideoIntroduction: false,
      ...noWords,
      mlRecommendations: false,
    },
    'any',
  );
}

/** Sets the last activity in both of its fields: "recently active" is a week or less. */
export function withActivity(set: FilterSet, within: ActiveWithin): FilterSet {
  const recentlyActive = within !== 'any' && within !== '1m';
  return {
    ...set,
    lastActiveWithin: within,
    compatibility: { ...set.compatibility, recentlyActive },
  };
}

/** The fields that do not count as active filters: last activity, and the order except for the newest first. */
const notCounted = ['lastActiveWithin', 'compatibility.recentlyActive', 'mlRecommendations'];

/** Returns the number of filters that differ from the defaults. */
export function activeCount(set: FilterSet): number {
  const defaultValues = new Map(filtersOf(defaults));
  return filtersOf(set).filter(
    ([path, value]) => value !== defaultValues.get(path) && !notCounted.includes(path),
  ).length;
}

/** Returns each filter's path, such as `location.city`, and its value as text. */
function filtersOf(set: object, group = ''): [path: string, value: string][] {
  return Object.entries(set).flatMap(([name, value]): [string, string][] =>
    value === null || typeof value !== 'object' || Array.isArray(value)
      ? [[group + name, canonical(value)]]
      : filtersOf(value, `${group}${name}.`),
  );
}

/** Whether two sets are equal, independent of the order of keys and words. */
export function sameFilters(one: FilterSet, other: FilterSet): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  if (Array.isArray(value))
    return typeof value[0] === 'string' ? JSON.stringify([...value].sort()) : JSON.stringify(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${name}:${canonical(inner)}`)
    .join(';');
}

export const distanceText = (miles: number | null) =>
  miles === null ? 'Anywhere' : `${miles} ${miles === 1 ? 'mile' : 'miles'}`;

/** Returns "23 people", "1 person" or "1,000+ people". */
export function peopleText({ count, more }: { count: number; more: boolean }): string {
  return `${count.toLocaleString('en-US')}${more ? '+' : ''} ${count === 1 && !more ? 'person' : 'people'}`;
}
