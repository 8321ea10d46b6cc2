import { namedTimeZone } from '@/offline/device/timeZone.ts';
import { canvasIsTrue } from './picture.ts';

/**
 * Returns the time zone of the device's place; null if the browser does not tell it. A browser that resists fingerprinting
 * names the same zone for everybody, and times planned in it would be hours away from what the member meant.
 */
export const statedTimeZone = (): string | null => (canvasIsTrue() ? namedTimeZone() : null);
