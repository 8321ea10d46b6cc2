import { act, type PointerEvent, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Decision } from './gesture.ts';
import { type Mover, useSwipe } from './useSwipe.ts';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);

const decisions: Decision[] = [];
beforeEach(() => {
  decisions.length = 0;
});

type Swipe = ReturnType<typeof useSwipe>;
type CardProps = {
  element: HTMLElement;
  mover: Mover | null;
  isTop: boolean;
  onDraw: (swipe: Swipe) => void;
};

function Card({ element, mover, isTop, onDraw }: CardProps) {
  onDraw(useSwipe(useRef(element), useRef(mover), isTop, (decision) => decisions.push(decision) > 0));
  return null;
}

/** Draws a card with a swipe; returns a finger that touches it, with the time of each touch in milliseconds. */
function drawCard(mover: Mover | null) {
  const element = document.createElement('div');
  let swipe: Swipe | undefined;
  const onDraw = (drawn: Swipe) => {
    swipe = drawn;
  };
  const root = createRoot(element);
  const draw = (isTop: boolean) =>
    act(() => root.render(<Card element={element} isTop={isTop} mover={mover} onDraw={onDraw} />));
  draw(true);
  const send = (type: 'Down' | 'Move' | 'Up' | 'Cancel', x: number, y: number, timeStamp: number) => {
    const touch = { pointerId: 1, isPrimary: true, button: 0, pointerType: 'touch', clientX: x, clientY: y };
    const currentTarget = { setPointerCapture: () => undefined };
    swipe?.handlers[`onPointer${type}`]({ ...touch, timeStamp, currentTarget } as unknown as PointerEvent);
  };
  return { send, draw, element };
}

test('a swipe decides before the library that moves the card is loaded', () => {
  const { send } = drawCard(null);
  send('Down', 200, 300, 0);
  send('Move', 240, 302, 100);
  send('Move', 400, 310, 200);
  send('Up', 400, 310, 216);
  send('Down', 200, 300, 1000);
  send('Move', 215, 302, 1010);
  send('Move', 255, 302, 1040);
  send('Up', 255, 302, 1050);
  expect(decisions, 'by distance, and by speed').toEqual(['like', 'like']);
});

test('a card that is caught while it springs back counts from where it is', () => {
  const stop = vi.fn(() => ({ x: -100, y: 0 }));
  const moveTo = vi.fn();
  const { send } = drawCard({ stop, moveTo, release: () => undefined });
  send('Down', 200, 300, 0);
  send('Move', 195, 300, 300);
  expect(stop, 'not before the axis is known').not.toHaveBeenCalled();
  send('Move', 189, 300, 600);
  send('Move', 180, 300, 1200);
  send('Up', 180, 300, 2000);
  expect(stop).toHaveBeenCalledOnce();
  expect(moveTo.mock.calls.map(([{ x }]) => x)).toEqual([-100, -109, -109]);
  expect(decisions).toEqual(['pass']);
});

test('a vertical drag and a cancelled touch decide nothing', () => {
  const moveTo = vi.fn();
  const release = vi.fn();
  const { send } = drawCard({ stop: () => ({ x: 0, y: 0 }), moveTo, release });
  send('Down', 200, 300, 0);
  send('Move', 212, 400, 50);
  send('Move', 500, 900, 100);
  send('Up', 500, 900, 116);
  expect(moveTo, 'the vertical one scrolls').not.toHaveBeenCalled();
  send('Down', 200, 300, 1000);
  send('Move', 300, 310, 1100);
  send('Move', 390, 310, 1200);
  send('Cancel', 390, 310, 1216);
  send('Up', 390, 310, 1220);
  expect(release).toHaveBeenCalledOnce();
  expect(decisions).toEqual([]);
});

test('a drag ends with its card on top: another card returns by a key, and the finger decides nothing', () => {
  const { send, draw, element } = drawCard(null);
  send('Down', 200, 300, 0);
  send('Move', 240, 302, 100);
  send('Move', 400, 310, 200);
  element.style.transform = 'translateX(160px)'; // as the library draws it
  draw(false);
  send('Up', 400, 310, 216);
  expect(decisions).toEqual([]);
  expect(element.style.transform, 'it is back in the stack').toBe('');
});
