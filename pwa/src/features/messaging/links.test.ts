import { describe, expect, it } from 'vitest';
import { linkify } from './links.ts';

const links = (text: string) =>
  linkify(text).flatMap(({ text: shown, href }) => (href ? [[shown, href]] : []));
const whole = (text: string) =>
  linkify(text)
    .map((piece) => piece.text)
    .join('');

describe('a link', () => {
  it.each([
    ['see https://a.example/x', 'https://a.example/x'],
    ['https://a.example/x.', 'https://a.example/x'],
    ['(https://a.example/x)', 'https://a.example/x'],
    ['https://a.example/x_(y)', 'https://a.example/x_(y)'],
    ['(see https://a.example/x_(y)), or not', 'https://a.example/x_(y)'],
    ['https://a.example/?q=1&r=2!?', 'https://a.example/?q=1&r=2'],
    ['“https://a.example/”', 'https://a.example/'],
    ['https://a.example/watch?v=dQw4w9WgXc_', 'https://a.example/watch?v=dQw4w9WgXc_'],
    ['https://a.example/x_.', 'https://a.example/x_'],
    ['*https://a.example/x*', 'https://a.example/x'],
    ['~https://a.example/x~!', 'https://a.example/x'],
    ['https://a.example/x*', 'https://a.example/x*'],
    ['https://око.рф/', 'https://око.рф/'],
    ['HTTP://A.example:8080/p#f', 'HTTP://A.example:8080/p#f'],
    ['https://münchen.example/ü', 'https://münchen.example/ü'],
    ['看 https://a.example/b，好', 'https://a.example/b'],
    ['https://a.example/b。', 'https://a.example/b'],
    ['（https://a.example/b）', 'https://a.example/b'],
    ['「https://a.example/b」を', 'https://a.example/b'],
    ['https://a.example/b！', 'https://a.example/b'],
    ['https://a.example/b؟', 'https://a.example/b'],
    ['https://a.example/b।', 'https://a.example/b'],
    ['https://ja.example/東京', 'https://ja.example/東京'],
  ])('in %j is %j', (text, link) => {
    expect(links(text).map(([shown]) => shown)).toEqual([link]);
    expect(whole(text), 'the pieces together are the text').toBe(text);
  });

  it('is found for each address in a text with two', () => {
    expect(links('https://a.example, https://b.example.')).toHaveLength(2);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a.example',
    'www.a.example',
    'https://',
    'http://user:word@bank.example/',
    'https://bank.example@evil.example',
    'nohttps://a.example',
    'plain words',
    '',
  ])('is not found in %j', (text) => {
    expect(links(text)).toEqual([]);
    expect(whole(text)).toBe(text);
  });

  it.each([
    ['https://аррӏе.com/', 'https://xn--80ak6aa92e.com/'],
    ['https://www.еріс.com/', 'https://www.xn--e1awd7f.com/'],
  ])('that imitates a Latin host in %j is shown as %j', (text, shown) => {
    expect(links(text)).toEqual([[shown, shown]]);
  });

  it.each(['\u202e', '\u2066', '\u200b', '\u00ad'])(
    'is shown encoded with the invisible character %j',
    (hidden) => {
      const [[shown] = []] = links(`https://example.test/${hidden}gnp.exe`);
      expect(shown).toMatch(/^https:\/\/example\.test\/(%[0-9A-F]{2})+gnp\.exe$/);
    },
  );

  it('is shown in ASCII when its host mixes scripts', () => {
    // The first letter is Cyrillic.
    expect(links('https://аpple.com/login')).toEqual([
      ['https://xn--pple-43d.com/login', 'https://xn--pple-43d.com/login'],
    ]);
    expect(links('https://почта.com')[0]?.[0]).toMatch(/^https:\/\/xn--/);
  });
});
