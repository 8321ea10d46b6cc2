import { describe, expect, it, test } from 'vitest';
import { breakLines, directionOf, drawText, isolate } from './canvasText.ts';

const fits = (line: string) => line.length <= 8;

describe('a text', () => {
  it('is broken where the line is full', () => {
    expect(breakLines('one two three four', fits)).toEqual(['one two', 'three', 'four']);
    expect(breakLines('  ', fits)).toEqual([]);
  });

  it('is broken within a word that is longer than a line', () => {
    expect(breakLines('incomprehensible yes', fits)).toEqual(['incompre', 'hensible', 'yes']);
    expect(breakLines('an incomprehensible', fits)).toEqual(['an', 'incompre', 'hensible']);
    expect(breakLines('incomprehens is', fits)).toEqual(['incompre', 'hens is']);
  });

  it('is never broken within a character', () => {
    const family = '👨‍👩‍👧';
    expect(breakLines(family.repeat(3), (line) => line.length <= family.length + 1)).toEqual([
      family,
      family,
      family,
    ]);
    expect(breakLines('é'.normalize('NFD').repeat(3), (line) => line.length <= 3)).toEqual(
      Array(3).fill('é'.normalize('NFD')),
    );
    expect(
      breakLines('abc', () => false),
      'a line has one at least',
    ).toEqual(['a', 'b', 'c']);
  });

  it('ends with an ellipsis after the last line', () => {
    expect(breakLines('one two three four', fits, 2)).toEqual(['one two', 'three…']);
    expect(breakLines('one two incomprehensible', fits, 2)).toEqual(['one two', 'incompr…']);
    expect(breakLines('one two three', fits, 2)).toEqual(['one two', 'three']);
  });
});

test('the direction is that of the first letter outside of isolated names', () => {
  expect(directionOf('Ann')).toBe('ltr');
  expect(directionOf('12 نور')).toBe('rtl');
  expect(directionOf('שלום Ann')).toBe('rtl');
  expect(directionOf(`${isolate('نور')} met someone`)).toBe('ltr');
  expect(directionOf('')).toBe('ltr');
  expect(isolate('Ann')).toBe('Ann');
});

test('text from right to left begins at the right edge', () => {
  const drawn: unknown[] = [];
  const context = {
    measureText: (text: string) => ({ width: text.length * 10 }),
    fillText: (text: string, x: number, y: number) => drawn.push([text, x, y, context.direction]),
    direction: 'ltr',
  } as unknown as CanvasRenderingContext2D;
  const style = { font: '', color: '', x: 50, y: 100, width: 80, line: 20, mostLines: 3 };
  expect(drawText(context, 'one two three', { ...style, align: 'start' })).toBe(140);
  drawText(context, 'نور', { ...style, align: 'start' });
  drawText(context, 'نور', { ...style, align: 'center' });
  expect(drawn).toEqual([
    ['one two', 50, 100, 'ltr'],
    ['three', 50, 120, 'ltr'],
    ['نور', 130, 100, 'rtl'],
    ['نور', 50, 100, 'rtl'],
  ]);
});
