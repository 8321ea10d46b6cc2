import { afterEach, expect, it } from 'vitest';
import { lineKey, lineSign } from './direction.ts';

afterEach(() => document.documentElement.removeAttribute('dir'));

it('the left arrow points onwards if a line begins at the right', () => {
  expect([lineSign(), lineKey('ArrowLeft'), lineKey('Home')]).toEqual([1, 'ArrowLeft', 'Home']);
  document.documentElement.dir = 'rtl';
  expect([lineSign(), lineKey('ArrowLeft'), lineKey('ArrowRight'), lineKey('Home')]).toEqual([
    -1,
    'ArrowRight',
    'ArrowLeft',
    'Home',
  ]);
});
