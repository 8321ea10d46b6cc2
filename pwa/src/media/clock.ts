/** 7400 → "0:07". */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The whole length of a recording in full seconds, rounded as in a notification; of what is there at least one. */
export const lengthOf = (ms: number): number => (ms > 0 ? Math.max(1, Math.round(ms / 1000)) * 1000 : 0);

/** 67000 → "1 minute 7 seconds", for those who listen. */
export function spoken(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [
    [Math.floor(seconds / 60), 'minute'],
    [seconds % 60, 'second'],
  ] as const;
  const words = parts
    .filter(([count, unit]) => count > 0 || (unit === 'second' && seconds === 0))
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`);
  return words.join(' ');
}
