import { act } from 'react';
import type { Root } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '@/api/request.ts';
import type { PlannedDate } from '@/api/types.ts';
import { createMemberRoot } from '@/offline/testkit.ts';
import { DateActions } from './DateActions.tsx';
import { changeDate, respondTo } from './dates.ts';
import PlanSheet from './PlanSheet.tsx';

vi.mock('./dates.ts', async (original) => ({
  ...(await original<object>()),
  respondTo: vi.fn(),
  changeDate: vi.fn(),
}));

const date = (revision: number, more: Partial<PlannedDate> = {}) =>
  ({
    id: 'date',
    place: 'The old harbour',
    note: '',
    at: new Date(Date.now() + 86_400_000).toISOString(),
    timeZone: 'UTC',
    status: 'proposed',
    revision,
    user: { id: 'ben', firstName: 'Ben' },
    proposedBy: 'ben',
    feedback: null,
    sharedUntil: null,
    ...more,
  }) as PlannedDate;
const networkError = new ApiError(0, 'network', 'cut');

let page: HTMLElement;
let root: Root;
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.spyOn(HTMLDialogElement.prototype, 'showModal').mockImplementation(() => undefined);
  page = document.body.appendChild(document.createElement('div'));
  root = createMemberRoot(page);
  return async () => {
    await act(async () => root.unmount());
    page.remove();
    vi.unstubAllGlobals();
  };
});

async function write(place: string): Promise<void> {
  const field = page.querySelector('input');
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  await act(async () => {
    set?.call(field, place);
    field?.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
const submit = () =>
  act(async () => {
    page.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  });

test('a retry of a change whose response was lost repeats the same change, even after a live update', async () => {
  const changeCalls = () =>
    vi.mocked(changeDate).mock.calls.map(([, { revision }, { place }]) => [revision, place]);
  vi.mocked(changeDate).mockRejectedValue(networkError);
  const show = (existing: PlannedDate) =>
    act(async () => root.render(<PlanSheet target={{ date: existing }} onClose={() => undefined} />));
  await show(date(1));
  await write('The lake');
  await submit();
  // The change was stored and arrives by the socket: naming the new revision would be a second change.
  await show(date(2, { place: 'The lake' }));
  await submit();
  expect(changeCalls()).toEqual([
    [1, 'The lake'],
    [1, 'The lake'],
  ]);
  await write('The park');
  await submit();
  expect(changeCalls()[2], 'a changed plan is a new change').toEqual([2, 'The park']);
});

test('a change that a busy server has refused is repeated as the same change', async () => {
  const refusals = [429, 408, 503].map((status) => new ApiError(status, 'busy', 'Please try again later.'));
  const change = vi.mocked(changeDate).mockReset();
  for (const refusal of refusals) change.mockRejectedValueOnce(refusal);
  change.mockRejectedValue(networkError);
  const show = (existing: PlannedDate) =>
    act(async () => root.render(<PlanSheet target={{ date: existing }} onClose={() => undefined} />));
  await show(date(1));
  await write('The lake');
  await submit();
  await show(date(2, { place: 'The lake' }));
  for (const _ of refusals) await submit();
  expect(change.mock.calls.map(([, { revision }]) => revision)).toEqual([1, 1, 1, 1]);
});

test('after a conflict the next attempt changes the current date', async () => {
  const conflict = new ApiError(
    409,
    'conflict',
    'This date was changed meanwhile. Please look at it again first.',
  );
  vi.mocked(changeDate).mockReset().mockRejectedValue(conflict);
  const show = (existing: PlannedDate) =>
    act(async () => root.render(<PlanSheet target={{ date: existing }} onClose={() => undefined} />));
  await show(date(1));
  await write('The lake');
  await submit();
  const at = '2099-11-26T19:00:00.000Z';
  await show(date(2, { place: 'The pier', at }));
  expect(page.querySelector('[role=alert]')?.textContent).toBe(
    'This date was changed meanwhile. Please look at it again first. It is now: The pier, Thursday, November 26, 2099, 7:00 PM.',
  );
  await submit();
  const changeCalls = vi
    .mocked(changeDate)
    .mock.calls.map(([, { revision }, { place }]) => [revision, place]);
  expect(changeCalls).toEqual([
    [1, 'The lake'],
    [2, 'The lake'],
  ]);
});

test('an error disappears when the date has changed', async () => {
  vi.mocked(respondTo).mockRejectedValue(networkError);
  const show = (existing: PlannedDate) =>
    act(async () =>
      root.render(
        <MemoryRouter>
          <DateActions date={existing} />
        </MemoryRouter>,
      ),
    );
  await show(date(1));
  const yes = [...page.querySelectorAll('button')].find(({ textContent }) => textContent === 'Say yes');
  await act(async () => yes?.click());
  expect(page.querySelector('[role=alert]')?.textContent).toContain('needs a connection');
  await show(date(2, { status: 'accepted' }));
  expect(page.querySelector('[role=alert]')).toBeNull();
});
