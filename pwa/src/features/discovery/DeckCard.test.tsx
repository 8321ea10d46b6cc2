import { act, type ComponentProps } from 'react';
import { expect, test, vi } from 'vitest';
import { createMemberRoot } from '@/offline/testkit.ts';
import { CardMover, DeckCard } from './DeckCard.tsx';
import type { Exiting } from './deck.ts';
import { person } from './testkit.ts';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);

const row = { list: 'forYou', id: 'ben', rank: 0, candidate: person('ben'), fetchedAt: 0 } as const;
const sizes = { card: { x: 358, y: 600 }, viewport: { x: 390, y: 844 } };
const exiting: Exiting = { row, decision: 'pass', sizes, velocity: { x: 0, y: 0 } };

/** Draws a top card that is then passed; returns its element, and the function that is called when it has left. */
async function drawPassedCard(canMove: boolean) {
  const onExited = vi.fn();
  const page = document.createElement('div');
  const root = createMemberRoot(page);
  const draw = (props: Partial<ComponentProps<typeof DeckCard>>) =>
    act(async () =>
      root.render(
        <DeckCard
          canMove={canMove}
          depth={0}
          isRequested={false}
          exiting={null}
          member={row.candidate}
          onDecide={() => true}
          onExited={onExited}
          onLikePhoto={() => undefined}
          onMore={() => undefined}
          returned={false}
          {...props}
        />,
      ),
    );
  await draw({});
  const card = page.querySelector<HTMLElement>('[data-testid=top-card]');
  await draw({ exiting });
  return { card, onExited };
}

test('the library throws the card out, whose element it did not draw', async () => {
  await CardMover.preload();
  const { card, onExited } = await drawPassedCard(true);
  const movedX = () => Number(/translateX\((-[\d.]+)px\)/.exec(card?.style.transform ?? '')?.[1] ?? 0);
  await expect.poll(movedX).toBeLessThan(-100);
  await expect.poll(() => onExited.mock.calls).toEqual([['ben']]);
});

test('a card leaves also before the library is loaded', async () => {
  const { card, onExited } = await drawPassedCard(false);
  await expect.poll(() => onExited.mock.calls).toEqual([['ben']]);
  expect(card?.style.transform).toBe('');
});
