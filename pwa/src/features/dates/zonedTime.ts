/**
 * Conversions between instants and the local date and time of a zone. A zone that this device does not know is replaced
 * by the device's own, and its times then always name that zone.
 */

import { DAY_MS, dateFormat } from '@/base/format.ts';
import { deviceTimeZone, isZoneKnown } from '@/base/timeZone.ts';

const dayFormat = (zone: string) =>
  dateFormat({
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    year: 'numeric',
    timeZone: zone,
  });
const timeFormat = (zone: string) =>
  dateFormat({ hour: 'numeric', minute: '2-digit', hour12: true, timeZone: zone });
const zonedTimeFormat = (zone: string) =>
  dateFormat({
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
    timeZone: zone,
    timeZoneName: 'short',
  });
const partsFormat = (zone: string) =>
  dateFormat({
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  });

// Some engines put a narrow no-break space before PM. A plain space is the same in all browsers.
const withPlainSpaces = (text: string) => text.replace(/\u202f/g, ' ');

/** Returns the zone, or the device's if it does not know the zone. */
export const knownZone = (zone: string): string => (isZoneKnown(zone) ? zone : deviceTimeZone());

/** Returns "Thursday, November 26, 2026". */
export const dayOf = (at: string, zone: string) =>
  withPlainSpaces(dayFormat(knownZone(zone)).format(new Date(at)));

/** Returns "7:00 PM". */
export const timeOf = (at: string, zone: string) =>
  isZoneKnown(zone) ? withPlainSpaces(timeFormat(zone).format(new Date(at))) : timeWithZone(at, zone);

/** Returns "7:00 PM PST". */
export const timeWithZone = (at: string, zone: string) =>
  withPlainSpaces(zonedTimeFormat(knownZone(zone)).format(new Date(at)));

/** Returns "Los Angeles" for America/Los_Angeles. */
export const townOf = (zone: string) => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

/** Returns the local time of a zone at an instant, as the ms of the same date and time in UTC. */
function wallClock(instant: number, zone: string): number {
  const fields = Object.fromEntries(
    partsFormat(zone)
      .formatToParts(new Date(instant))
      .map(({ type, value }) => [type, Number(value)]),
  );
  return Date.UTC(
    fields.year ?? 0,
    (fields.month ?? 1) - 1,
    fields.day ?? 1,
    fields.hour ?? 0,
    fields.minute ?? 0,
    fields.second ?? 0,
  );
}

const offsetAt = (instant: number, zone: string) =>
  wallClock(instant, zone) - Math.floor(instant / 1000) * 1000;

/** Whether two zones have the same local time at an instant. */
export const sameClock = (at: string, a: string, b: string) =>
  offsetAt(Date.parse(at), knownZone(a)) === offsetAt(Date.parse(at), knownZone(b));

/**
 * Returns the instant of a day ("2026-11-26") and time ("19:00") in a zone, or null if they are invalid. A time that is
 * skipped in spring maps to an hour later; one that occurs twice in autumn maps to the first.
 */
export function instantOf(date: string, clock: string, zone: string): string | null {
  const wallTime = Date.parse(`${date}T${clock}:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d$/.test(clock) || Number.isNaN(wallTime)) return null;
  const known = knownZone(zone);
  // The offsets a day before and after include those on both sides of a clock change.
  const offsets = [wallTime - DAY_MS, wallTime + DAY_MS].map((instant) => offsetAt(instant, known));
  const matching = offsets
    .map((shift) => wallTime - shift)
    .filter((instant) => wallClock(instant, known) === wallTime);
  const instant = matching.length > 0 ? Math.min(...matching) : wallTime - Math.min(...offsets);
  return new Date(instant).toISOString();
}

/** Returns the values of date and time fields for an instant in a zone. */
export function fieldsOf(at: string, zone: string): { date: string; clock: string } {
  const text = new Date(wallClock(Date.parse(at), knownZone(zone))).toISOString();
  return { date: text.slice(0, 10), clock: text.slice(11, 16) };
}
