import { beforeEach, expect, it, vi } from 'vitest';
import { trueContext } from './testkit.ts';

beforeEach(() => {
  vi.resetModules();
});

it.each([
  ['truly', 'Atlantic/Reykjavik', 'Atlantic/Reykjavik'],
  ['falsely', 'Atlantic/Reykjavik', null],
  ['falsely', 'America/Boise', 'America/Boise'],
])('a browser that draws %s and names %s is in %s', async (how, named, zone) => {
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    timeZone: named,
  } as Intl.ResolvedDateTimeFormatOptions);
  const context = trueContext();
  const noise = { ...context, getImageData: () => ({ data: new Uint8ClampedArray(1024) }) };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(
    (how === 'truly' ? context : noise) as never,
  );
  const { statedTimeZone } = await import('./statedZone.ts');
  expect(statedTimeZone()).toBe(zone);
});
