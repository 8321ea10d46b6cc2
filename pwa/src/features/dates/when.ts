/** A date's moment, as the calendar and the clock of a zone show it. */

const locale = 'en-US';

const day = (zone: string) =>
  new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    year: 'numeric',
    timeZone: zone,
  });
const time = (zone: string) =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', hour12: true, timeZone: zone });
const zoned = (zone: string) =>
  new Intl.DateTimeFormat(locale, {
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
    timeZone: zone,
    timeZoneName: 'short',
  });
const parts = (zone: string) =>
  new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  });

// Some engines put a narrow no-break space before PM; a plain one reads and searches the same everywhere.
const plain = (text: string) => text.replace(/\u202f/g, ' ');

/** The zone of this device. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** A zone this device knows; one it does not is shown in UTC, which is never wrong. */
function known(zone: string): string {
  try {
    day(zone);
    return zone;
  } catch {
    return 'UTC';
  }
}

/** "Thursday, November 26, 2026". */
export const dayOf = (at: string, zone: string) => plain(day(known(zone)).format(new Date(at)));

/** "7:00 PM". */
export const timeOf = (at: string, zone: string) => plain(time(known(zone)).format(new Date(at)));

/** "7:00 PM PST". */
export const timeWithZone = (at: string, zone: string) => plain(zoned(known(zone)).format(new Date(at)));

/** "Los Angeles" of America/Los_Angeles. */
export const townOf = (zone: string) => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

/** What the clock of the zone shows at a moment, as milliseconds of a clock in UTC. */
function wallClock(moment: number, zone: string): number {
  const of = Object.fromEntries(
    parts(zone)
      .formatToParts(new Date(moment))
      .map(({ type, value }) => [type, Number(value)]),
  );
  return Date.UTC(
    of.year ?? 0,
    (of.month ?? 1) - 1,
    of.day ?? 1,
    of.hour ?? 0,
    of.minute ?? 0,
    of.second ?? 0,
  );
}

const offset = (moment: number, zone: string) => wallClock(moment, zone) - Math.floor(moment / 1000) * 1000;

/** Whether the clocks of two zones show the same at a moment. */
export const sameClock = (at: string, a: string, b: string) =>
  offset(Date.parse(at), known(a)) === offset(Date.parse(at), known(b));

/**
 * The moment at which the clock of a zone shows a day ("2026-11-26") and time ("19:00"); null for what is no such.
 * An hour that the clock skips in spring is the one after; of one that comes twice in autumn it is the first.
 */
export function momentOf(date: string, clock: string, zone: string): string | null {
  const wanted = Date.parse(`${date}T${clock}:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d$/.test(clock) || Number.isNaN(wanted)) return null;
  const of = known(zone);
  // A day away on either side no change of the clock is missed.
  const offsets = [wanted - 86_400_000, wanted + 86_400_000].map((moment) => offset(moment, of));
  const found = offsets.map((shift) => wanted - shift).filter((moment) => wallClock(moment, of) === wanted);
  const moment = found.length > 0 ? Math.min(...found) : wanted - Math.min(...offsets);
  return new Date(moment).toISOString();
}

/** What date and time fields of a zone show of a moment. */
export function fieldsOf(at: string, zone: string): { date: string; clock: string } {
  const text = new Date(wallClock(Date.parse(at), known(zone))).toISOString();
  return { date: text.slice(0, 10), clock: text.slice(11, 16) };
}
