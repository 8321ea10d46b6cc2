/** Returns 7400 ms as "0:07". */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Returns a duration rounded to full seconds, in ms, as notifications show it; at least one second unless it is 0. */
export const roundedDuration = (ms: number): number =>
  ms > 0 ? Math.max(1, Math.round(ms / 1000)) * 1000 : 0;

/** Returns 67000 ms as "1 minute 7 seconds", for screen readers. */
export function spoken(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [
    [Math.floor(seconds / 60), 'minute'],
    [seconds % 60, 'second'],
  ] as const;
  const texts = parts
    .filter(([count, unit]) => count > 0 || (unit === 'second' && seconds === 0))
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`);
  return texts.join(' ');
}
