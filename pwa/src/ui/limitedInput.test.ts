import { afterEach, beforeEach, expect, it } from 'vitest';
import { refuseLongInput } from './limitedInput.ts';

let stop: () => void;
let field: HTMLTextAreaElement;

beforeEach(() => {
  stop = refuseLongInput();
  document.body.innerHTML = '<textarea maxlength="10"></textarea>';
  field = document.querySelector('textarea') as HTMLTextAreaElement;
});
afterEach(() => stop());

/** Whether the field accepts the text at its selection. */
const accepts = (data: string, init: InputEventInit = {}) =>
  field.dispatchEvent(
    new InputEvent('beforeinput', {
      data,
      bubbles: true,
      cancelable: true,
      inputType: 'insertFromPaste',
      ...init,
    }),
  );

it('a text that fits is inserted', () => {
  field.value = '12345';
  field.setSelectionRange(5, 5);
  expect(accepts('67890')).toBe(true);
});

it('a text that does not fit whole is refused', () => {
  field.value = '12345';
  field.setSelectionRange(5, 5);
  expect(accepts('678901')).toBe(false);
});

it('a text may replace a selection', () => {
  field.value = '1234567890';
  field.setSelectionRange(0, 10);
  expect(accepts('abcdefghij')).toBe(true);
  expect(accepts('abcdefghijk')).toBe(false);
});

it('a letter, a composition and a field without a limit are left to the browser', () => {
  field.value = '1234567890';
  field.setSelectionRange(10, 10);
  expect(accepts('a')).toBe(true);
  expect(accepts('にほん', { isComposing: true })).toBe(true);
  field.removeAttribute('maxlength');
  expect(accepts('abc')).toBe(true);
});

it('an emoji of several units is refused whole at the limit', () => {
  field.value = '12345';
  field.setSelectionRange(5, 5);
  expect(accepts('👨‍👩‍👧‍👦', { inputType: 'insertText' })).toBe(false);
});
