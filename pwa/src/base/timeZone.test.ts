import { afterEach, describe, expect, it, vi } from 'vitest';
import { deviceTimeZone, isZoneKnown, namedTimeZone, zoneNames } from './timeZone.ts';

/** Makes the device say that it is in the zone. */
const tell = (timeZone: string | undefined) =>
  vi
    .spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
    .mockReturnValue({ timeZone } as Intl.ResolvedDateTimeFormatOptions);

afterEach(() => vi.restoreAllMocks());

describe('the time zone of the device', () => {
  it('is the named one', () => {
    tell('Europe/Lisbon');
    expect(namedTimeZone()).toBe('Europe/Lisbon');
    expect(deviceTimeZone()).toBe('Europe/Lisbon');
  });

  it.each([
    ['Etc/Unknown', 300, 'Etc/GMT+5'],
    ['Foo/Bar', -120, 'Etc/GMT-2'],
    [undefined, 0, 'UTC'],
    ['UTC', 0, 'UTC'],
    ['Etc/GMT+3', 180, 'Etc/GMT+3'],
    ['Etc/Unknown', -345, 'Etc/GMT-6'],
  ])('%s with the offset %i is %s, and is not named', (zone, offset, expected) => {
    tell(zone);
    const now = new Date();
    vi.spyOn(now, 'getTimezoneOffset').mockReturnValue(offset);
    expect(namedTimeZone()).toBeNull();
    expect(deviceTimeZone(now)).toBe(expected);
    expect(isZoneKnown(expected)).toBe(true);
  });

  it('is among the choices', () => {
    expect(zoneNames('Etc/GMT+5')).toEqual(expect.arrayContaining(['Etc/GMT+5', 'Europe/Lisbon', 'UTC']));
  });
});
