import { afterEach, beforeEach, expect, it } from 'vitest';
import { commandOf, moveToRow, setKeysOn } from './queueKeys.ts';

let commands: (string | null)[];
const listener = (event: KeyboardEvent) => commands.push(commandOf(event));

beforeEach(() => {
  commands = [];
  document.body.innerHTML = `
    <a data-row href="/a">A</a><a aria-current="true" data-row href="/b">B</a><a data-row href="/c">C</a>
    <input id="text"><input id="radio" type="radio">`;
  addEventListener('keydown', listener);
});

afterEach(() => {
  removeEventListener('keydown', listener);
  document.body.innerHTML = '';
  localStorage.clear();
});

function press(
  key: string,
  on: Element = document.body,
  more: KeyboardEventInit = {},
): string | null | undefined {
  on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
  return commands.at(-1);
}

const element = (id: string) => document.getElementById(id) as HTMLElement;

it('a key is a command outside text fields and without modifiers', () => {
  expect(press('j')).toBe('j');
  expect(press('K')).toBe('k');
  expect(press('2', element('radio'))).toBe('2');
  expect(press('j', element('text'))).toBeNull();
  expect(press('j', document.body, { ctrlKey: true })).toBeNull();
  expect(press('Escape')).toBe('Escape');
});

it('no key is a command while a dialog is open, and no character while single keys are off', () => {
  setKeysOn(false);
  expect(press('j')).toBeNull();
  expect(press('Escape')).toBe('Escape');
  setKeysOn(true);
  expect(press('j')).toBe('j');
  document.body.insertAdjacentHTML('beforeend', '<dialog open></dialog>');
  expect(press('j')).toBeNull();
});

it('j and k move from the focused row, else from the open one, and stop at the ends', () => {
  const focused = () => document.activeElement?.textContent;
  moveToRow(1);
  expect(focused()).toBe('C');
  moveToRow(1);
  expect(focused()).toBe('C');
  moveToRow(-1);
  moveToRow(-1);
  expect(focused()).toBe('A');
  moveToRow(-1);
  expect(focused()).toBe('A');
});
