import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Marked } from './Marked.tsx';

const draw = (text: string, words?: string[]): string =>
  renderToStaticMarkup(<Marked text={text} words={words} />).replace(/ class="[^"]*"/g, '');

it('marks whole words, with their accents and in every place', () => {
  expect(draw('Tomás ran, Tomás-like. Tomásito', ['Tomás'])).toBe(
    '<mark>Tomás</mark> ran, <mark>Tomás</mark>-like. Tomásito',
  );
  expect(draw('Tomás ran', [])).toBe('Tomás ran');
  expect(draw('Tomás ran')).toBe('Tomás ran');
});

it('shows a script as text, also when its words are marked', () => {
  expect(draw('<script>alert(1)</script> & more', ['script', 'alert', '1', '&'])).toBe(
    '&lt;<mark>script</mark>&gt;<mark>alert</mark>(<mark>1</mark>)&lt;/<mark>script</mark>&gt; &amp; more',
  );
});
