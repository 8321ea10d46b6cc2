import { act } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { createMemberRoot, message, summary } from '@/offline/testkit.ts';
import { Bubble } from './Bubble.tsx';

const actions = { openMenu: vi.fn(), reply: vi.fn(), react: vi.fn(), like: vi.fn(), goTo: vi.fn() };
let page: HTMLElement;
let draw: (content: string, isFormer?: boolean) => Promise<void>;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  actions.like.mockReset();
  page = document.body.appendChild(document.createElement('div'));
  const root = createMemberRoot(page);
  draw = (content, isFormer = false) =>
    act(async () =>
      root.render(
        <Bubble
          actions={actions}
          author="Ada"
          conversation={{ ...summary({ isFormer }), userId: 'ada', sortAt: '' }}
          first
          highlighted={false}
          last
          mine={false}
          row={{ ...message(1, { content }), order: 1, state: 'stored' }}
          tick={null}
        />,
      ),
    );
  return async () => {
    await act(async () => root.unmount());
    page.remove();
  };
});

/** A tap at a time (ms) and a place. */
function tap(
  timeStamp: number,
  clientX = 50,
  target: Element | null = page.querySelector('[data-testid=bubble-text]'),
) {
  for (const type of ['pointerdown', 'pointerup']) {
    const event = new PointerEvent(type, {
      bubbles: true,
      pointerType: 'touch',
      isPrimary: true,
      pointerId: 1,
      clientX,
      clientY: 50,
    });
    Object.defineProperty(event, 'timeStamp', { value: timeStamp });
    target?.dispatchEvent(event);
  }
}

it('likes a message that is tapped twice', async () => {
  await draw('hello');
  tap(1000);
  expect(actions.like).not.toHaveBeenCalled();
  tap(1200);
  expect(actions.like).toHaveBeenCalledTimes(1);
  tap(1300);
  expect(actions.like, 'the third tap is a first one').toHaveBeenCalledTimes(1);
});

it.each([
  ['slow taps', () => [tap(1000), tap(1400)]],
  ['taps at two places', () => [tap(1000, 50), tap(1100, 150)]],
] as const)('does not like by %s', async (_, taps) => {
  await draw('hello');
  taps();
  expect(actions.like).not.toHaveBeenCalled();
});

it('leaves links alone', async () => {
  await draw('https://example.com');
  const link = page.querySelector('a');
  tap(1000, 50, link);
  tap(1100, 50, link);
  expect(link).not.toBeNull();
  expect(actions.like).not.toHaveBeenCalled();
});

it('does not like what cannot be answered', async () => {
  await draw('hello', true);
  tap(1000);
  tap(1100);
  expect(actions.like).not.toHaveBeenCalled();
});

/** A finger that comes down in the middle of the page and moves across. */
function pull(by: number) {
  const target = page.querySelector<HTMLElement>('[data-testid=bubble-text]');
  const middle = innerWidth / 2;
  HTMLElement.prototype.setPointerCapture ??= () => undefined;
  const moves = [0, by / 2, by].map((moved) => ['pointermove', middle + moved] as const);
  for (const [type, clientX] of [['pointerdown', middle], ...moves, ['pointerup', middle + by]] as const)
    target?.dispatchEvent(
      new PointerEvent(type, {
        bubbles: true,
        pointerType: 'touch',
        isPrimary: true,
        pointerId: 1,
        clientX,
        clientY: 50,
      }),
    );
}

it.each([
  ['ltr', 90, 1],
  ['ltr', -90, 0],
  ['rtl', -90, 1],
  ['rtl', 90, 0],
])('in a page with dir=%s, a swipe by %s px starts %s reply', async (dir, by, replies) => {
  document.documentElement.dir = dir;
  actions.reply.mockReset();
  await draw('hello');
  pull(by);
  expect(actions.reply).toHaveBeenCalledTimes(replies);
  document.documentElement.removeAttribute('dir');
});
