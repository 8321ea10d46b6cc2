import { describe, expect, it } from 'vitest';
import { cutText, initialOf } from './graphemes.ts';

describe('the initial of a name', () => {
  it.each([
    ['Mira Rose', 'M'],
    ['mira', 'M'],
    ['🌸 Mira Rose', 'M'],
    ['𝓜𝓲𝓻𝓪', '𝓜'],
    ['e\u0301lodie', 'E\u0301'],
    ['Émile', 'É'],
    ['محمد', 'م'],
    ['’t Hart', 'T'],
    ['李娜', '李'],
    ['', '♥'],
    ['🌸', '♥'],
  ])('of %j is %j', (name, initial) => {
    expect(initialOf(name)).toBe(initial);
  });
});

describe('a cut text', () => {
  it.each([
    ['abc', 5, 'abc'],
    ['abcdef', 3, 'abc'],
    ['ab👨‍👩‍👧‍👦', 12, 'ab'],
    ['ab👨‍👩‍👧‍👦', 13, 'ab👨‍👩‍👧‍👦'],
    ['abe\u0301', 3, 'ab'],
    ['🇩🇪🇫🇷', 4, '🇩🇪'],
    ['😀', 1, ''],
  ])('%j within %i units is %j', (text, max, cut) => {
    expect(cutText(text, max)).toBe(cut);
  });
});
