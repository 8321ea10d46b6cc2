import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OWN_KEYS, useDecisionKeys } from './keys.ts';

const decide = vi.fn();
let root: Root;
let place: HTMLElement;

function Deck() {
  useDecisionKeys(decide);
  return (
    <>
      <button type="button">Like</button>
      <section {...OWN_KEYS}>
        <a href="/profile">More</a>
      </section>
    </>
  );
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  decide.mockReset();
  place = document.body.appendChild(document.createElement('div'));
  root = createRoot(place);
  await act(async () => root.render(<Deck />));
});

afterEach(async () => {
  await act(async () => root.unmount());
  place.remove();
  vi.unstubAllGlobals();
});

const press = (where: string, key: string) =>
  place.querySelector(where)?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));

it('decides with the arrow keys', () => {
  press('button', 'ArrowUp');
  expect(decide).toHaveBeenCalledWith('super_like');
});

it('leaves the keys to what is scrolled beside the deck', () => {
  press('a', 'ArrowUp');
  press('section', 'ArrowUp');
  expect(decide).not.toHaveBeenCalled();
});
