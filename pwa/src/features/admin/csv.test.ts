import { expect, it } from 'vitest';
import { toCsv } from './csv.ts';

it('quotes every cell and doubles quotes', () => {
  const rows = [{ name: 'Ann "Annie" Moss', age: 31, verified: true, until: null }];
  expect(toCsv(['name', 'age', 'verified', 'until'], rows)).toBe(
    '"name","age","verified","until"\r\n"Ann ""Annie"" Moss","31","true",""\r\n',
  );
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("https://evil.test")'])(
  'a text that a spreadsheet would run as a formula gets an apostrophe: %j',
  (name) => {
    const [, cell] = toCsv(['name'], [{ name }]).split('"name"\r\n');
    expect(cell).toBe(`"'${name.replaceAll('"', '""')}"\r\n`);
  },
);

it('a number below zero stays a number', () => {
  expect(toCsv(['change'], [{ change: -3 }])).toContain('"-3"');
});
