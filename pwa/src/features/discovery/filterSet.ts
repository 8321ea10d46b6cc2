/** Pure functions on a filter set: defaults, changes, and the number of active filters. */

import { filterDefaults } from '@/api/defaults.gen.ts';
import type { FilterSet } from '@/api/types.ts';
import { countText, formatCount } from '@/base/format.ts';
import { heightText } from '@/domain/profile/labels.ts';

export type ActiveWithin = FilterSet['lastActiveWithin'];

/** Adds the defaults of fields that a set of an older version or server lacks. */
export function withDefaults(set: Partial<FilterSet>): FilterSet {
  return {
    ...filterDefaults,
    ...set,
    location: { ...filterDefaults.location, ...set.location },
    height: { ...filterDefaults.height, ...set.height },
    lifestyle: { ...filterDefaults.lifestyle, ...set.lifestyle },
    compatibility: { ...filterDefaults.compatibility, ...set.compatibility },
  };
}

/** Returns the defaults with the genders of the set, which belong to the profile and are not reset. */
export const reset = ({ interestedIn }: FilterSet): FilterSet => ({ ...filterDefaults, interestedIn });

/** Sets the last activity in both of its fields: "recently active" is a week or less. */
export function withActivity(set: FilterSet, within: ActiveWithin): FilterSet {
  const recentlyActive = within !== 'any' && within !== '1m';
  return {
    ...set,
    lastActiveWithin: within,
    compatibility: { ...set.compatibility, recentlyActive },
  };
}

/**
 * The fields that do not count as active filters: the genders, which every member chooses, last activity, and the order
 * except for the newest first.
 */
const notCounted = ['interestedIn', 'lastActiveWithin', 'compatibility.recentlyActive', 'mlRecommendations'];

/** Returns the number of filters that differ from the defaults, without those of `notCounted`. */
export const activeCount = (set: FilterSet): number => activePaths(set).length;

/** Returns the number of active filters as it is shown: the genders count, although they are not reset. */
export const shownCount = (set: FilterSet): number => activeCount(set) + Number(set.interestedIn.length > 0);

/** Returns the paths of the filters that activeCount counts, such as `location.city`. */
export function activePaths(set: FilterSet): string[] {
  const defaultValues = new Map(filtersOf(filterDefaults));
  return filtersOf(set)
    .filter(([path, value]) => value !== defaultValues.get(path) && !notCounted.includes(path))
    .map(([path]) => path);
}

/** Returns each filter's path and its value as text. The height is one filter. */
export function filtersOf(set: object, group = ''): [path: string, value: string][] {
  return Object.entries(set).flatMap(([name, value]): [string, string][] =>
    value === null || typeof value !== 'object' || Array.isArray(value) || name === 'height'
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
  miles === null ? 'Anywhere' : countText(miles, 'mile');

/** Returns "Any", "170 cm (5′7″) or more", or both limits. */
export function heightRangeText(minCm: number | null, maxCm: number | null): string {
  if (minCm !== null && maxCm !== null) return `${heightText(minCm)} to ${heightText(maxCm)}`;
  if (minCm !== null) return `${heightText(minCm)} or more`;
  return maxCm === null ? 'Any' : `${heightText(maxCm)} or less`;
}

/** Returns "23 people", "1 person" or "1,000+ people". */
export function peopleText({ count, more }: { count: number; more: boolean }): string {
  return `${formatCount(count)}${more ? '+' : ''} ${count === 1 && !more ? 'person' : 'people'}`;
}
