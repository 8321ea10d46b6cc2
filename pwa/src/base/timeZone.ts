import { dateFormat } from './format.ts';

/** Returns whether the device knows the zone: browsers have lists of different age. */
export function isZoneKnown(zone: string): boolean {
  try {
    return Boolean(dateFormat({ timeZone: zone }));
  } catch {
    return false;
  }
}

/** Zones without a place: a browser names UTC for a device whose zone it does not know, or to hide where the member is. */
const PLACELESS = /^(UTC|GMT|Etc\/.+)$/;

/** Returns the IANA name of the device's time zone; null if the device has none, or one without a place. */
export function namedTimeZone(): string | null {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone && !PLACELESS.test(zone) && isZoneKnown(zone) ? zone : null;
}

/** Returns the device's time zone. Without a name it is a zone of the device's current offset from UTC, in whole hours. */
export function deviceTimeZone(now = new Date()): string {
  const hours = Math.round(now.getTimezoneOffset() / 60);
  return namedTimeZone() ?? (hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '+' : '-'}${Math.abs(hours)}`);
}

/** Returns the names of the zones that a member can choose, with `others` among them. */
export function zoneNames(...others: string[]): string[] {
  return [...new Set([...others, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
}

/** Returns "America/Los Angeles" for America/Los_Angeles. */
export const zoneLabel = (zone: string): string => zone.replaceAll('_', ' ');
