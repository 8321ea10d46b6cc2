import { beforeEach, expect, it, vi } from 'vitest';
import { trueContext } from './testkit.ts';

beforeEach(() => {
  vi.resetModules();
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    timeZone: 'Atlantic/Reykjavik',
  } as Intl.ResolvedDateTimeFormatOptions);
});

it.each([
  ['truly', 'Atlantic/Reykjavik'],
  ['falsely, to resist fingerprinting', null],
])('the zone that a browser names which draws %s is %s', async (how, zone) => {
  const context = trueContext();
  const noise = { ...context, getImageData: () => ({ data: new Uint8ClampedArray(1024) }) };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(
    (how === 'truly' ? context : noise) as never,
  );
  const { statedTimeZone } = await import('./statedZone.ts');
  expect(statedTimeZone()).toBe(zone);
});
