import { act } from 'react';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMemberRoot } from '@/offline/testkit.ts';
import { deckActionOf } from './deckKeys.ts';

const decide = vi.fn();
let root: Root;
let page: HTMLElement;

function Deck() {
  return (
    <>
      <fieldset onKeyDown={(event) => decide(deckActionOf(event))}>
        <button type="button">Like</button>
        <input aria-label="Comment" />
      </fieldset>
      <section>
        <a href="/profile">More</a>
      </section>
    </>
  );
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  decide.mockReset();
  page = document.body.appendChild(document.createElement('div'));
  root = createMemberRoot(page);
  await act(async () => root.render(<Deck />));
});

afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
});

const press = (selector: string, key: string, more: KeyboardEventInit = {}) =>
  page.querySelector(selector)?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...more }));

it.each([
  ['ArrowRight', {}, 'like'],
  ['ArrowLeft', {}, 'pass'],
  ['s', {}, 'super_like'],
  ['S', {}, 'super_like'],
  ['z', {}, 'undo'],
  ['z', { ctrlKey: true }, 'undo'],
  ['z', { metaKey: true }, 'undo'],
  ['z', { ctrlKey: true, shiftKey: true }, null],
  ['s', { ctrlKey: true }, null],
  ['ArrowLeft', { altKey: true }, null],
  ['ArrowRight', { repeat: true }, null],
  ['ArrowUp', {}, null],
  ['ArrowDown', {}, null],
] as const)('%s with %j within the deck means %s', (key, more, meaning) => {
  press('button', key, more);
  expect(decide).toHaveBeenCalledExactlyOnceWith(meaning);
});

it('ignores keys in a field and outside the deck', () => {
  press('input', 'ArrowRight');
  expect(decide).toHaveBeenCalledExactlyOnceWith(null);
  decide.mockReset();
  for (const key of ['ArrowUp', 'ArrowRight', 'z', 's']) {
    press('a', key);
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  }
  expect(decide).not.toHaveBeenCalled();
});
