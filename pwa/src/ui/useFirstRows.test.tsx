import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { useFirstRows } from './useFirstRows.ts';

let root: Root;
/** The numbers of rows that were drawn one after the other. */
let drawn: number[];

function List({ length, step }: { length: number; step: number }) {
  const rows = useFirstRows(
    Array.from({ length }, (_, index) => index),
    step,
  );
  if (drawn.at(-1) !== rows.length) drawn.push(rows.length);
  return rows.join();
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  drawn = [];
  root = createRoot(document.createElement('div'));
  return async () => {
    await act(async () => root.unmount());
    vi.unstubAllGlobals();
  };
});

const draw = (length: number, step: number) =>
  act(async () => root.render(<List length={length} step={step} />));

it('draws a first page step by step', async () => {
  await draw(12, 3);
  expect(drawn).toEqual([3, 6, 9, 12]);
});

it('draws the rest of a long list at once after four steps', async () => {
  await draw(500, 3);
  expect(drawn).toEqual([3, 6, 9, 12, 500]);
});

it('draws all rows of a list that grows later', async () => {
  await draw(2, 4);
  await draw(40, 4);
  expect(drawn).toEqual([2, 40]);
});
