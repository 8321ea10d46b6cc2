import { namedTimeZone } from '@/base/timeZone.ts';
import { canvasIsTrue } from './picture.ts';

/** The zone that Firefox and browsers made from it name for everybody when they resist fingerprinting; UTC before version 128. */
const SHARED_ZONE = 'Atlantic/Reykjavik';

/**
 * Returns the time zone of the device's place; null if the browser does not tell it. A browser that resists fingerprinting
 * names the same zone for everybody, and times planned in it would be hours away from what the member meant. One that only
 * alters canvases, as Brave does, names the true zone.
 */
export function statedTimeZone(): string | null {
  const zone = namedTimeZone();
  return zone === SHARED_ZONE && !canvasIsTrue() ? null : zone;
}
