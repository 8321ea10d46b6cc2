import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client.ts';
import type { Safety } from '@/api/types.ts';
import { countText, formatCount } from '@/base/format.ts';
import { storageKeys } from '@/base/storage.ts';

/** The address of the operator and how fast reports are decided, stored on the device for reading offline. */
export const safetyQuery = queryOptions({
  queryKey: ['safety'],
  queryFn: async ({ signal }): Promise<Safety> => {
    const safety = await unwrap(api.GET('/api/safety', { signal }));
    localStorage.setItem(storageKeys.safety, JSON.stringify(safety));
    return safety;
  },
  networkMode: 'always',
  staleTime: 60_000,
});

/** Returns the last response that this device got, or undefined. */
export function storedSafety(): Safety | undefined {
  try {
    return (JSON.parse(localStorage.getItem(storageKeys.safety) ?? 'null') as Safety | null) ?? undefined;
  } catch {
    return undefined;
  }
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns a duration in words, rounded up, so that "within 3 hours" is true: "1 minute", "90 minutes", "2 days". */
export function describeSpan(seconds: number): string {
  const units: [limit: number, unit: number, name: string][] = [
    [2 * HOUR, MINUTE, 'minute'],
    [2 * DAY, HOUR, 'hour'],
    [Number.POSITIVE_INFINITY, DAY, 'day'],
  ];
  const [, unit, name] = units.find(([limit]) => seconds <= limit) ?? [0, DAY, 'day'];
  return countText(Math.max(1, Math.ceil(seconds / unit)), name);
}

/** Returns how many reports arrived in 30 days and how many waited at their end. */
export function describeLoad({ arrived, open, oldestSeconds }: NonNullable<Safety['load']>): string {
  const waiting =
    open === null || oldestSeconds === null
      ? 'Fewer than ten waited for a decision.'
      : `${formatCount(open)} waited for a decision, the oldest for ${describeSpan(oldestSeconds)}.`;
  return `In these 30 days ${formatCount(arrived)} reports arrived. ${waiting}`;
}
