import { QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Me } from '@/api/types.ts';
import { createMemberRoot } from '@/offline/testkit.ts';
import { meKey, queryClient } from '@/session/query.ts';
import { describeVisit } from './useVisit.ts';
import { VisitBanner } from './VisitBanner.tsx';

/** A Monday. */
const now = new Date(2026, 10, 23, 15, 0);
const visitUntil = (day: number, hour: number) => ({
  city: 'Lisbon',
  state: 'Portugal',
  until: new Date(2026, 10, day, hour).toISOString(),
});

beforeEach(() => {
  vi.useFakeTimers({ now });
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
});
afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([
  [23, 'today'],
  [24, 'tomorrow'],
  [29, 'Sunday'],
  [30, 'November 30'],
])('names the end on day %i', (day, text) => {
  expect(describeVisit(visitUntil(day, 16), now)).toBe(`Looking in Lisbon until ${text}.`);
});

it('the banner disappears at the end of the visit and reports it once', async () => {
  queryClient.setQueryData(meKey, { visit: visitUntil(23, 16) } as Me);
  const onEnd = vi.fn();
  const container = document.createElement('div');
  const root = createMemberRoot(container);
  await act(async () =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <VisitBanner onEnd={onEnd} />
      </QueryClientProvider>,
    ),
  );
  expect(container.textContent).toContain('Looking in Lisbon until today.');
  await act(async () => vi.advanceTimersByTime(60 * 60_000 - 1));
  expect(container.textContent).not.toBe('');
  expect(onEnd).not.toHaveBeenCalled();
  await act(async () => vi.advanceTimersByTime(1));
  expect(container.textContent).toBe('');
  expect(onEnd).toHaveBeenCalledOnce();
  await act(async () => root.unmount());
});
