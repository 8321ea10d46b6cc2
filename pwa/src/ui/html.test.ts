import { expect, it } from 'vitest';
import { type HtmlNode, parseHtml } from './html.ts';

it('parses paragraphs, headings, lists, quotes, emphasis, code and links', () => {
  expect(
    parseHtml(
      '<h2>One</h2>\n<p>A <strong>b</strong> <em>c</em><br>d &amp; &#39;e&#39; &lt;f&gt;</p>\n<ul>\n<li>x</li>\n</ul>\n' +
        '<p><a href="https://example.com/?a=1&amp;b=2" rel="nofollow noopener">y</a></p><hr />',
    ).filter((node) => node !== '\n'),
  ).toEqual([
    { tag: 'h2', children: ['One'] },
    {
      tag: 'p',
      children: [
        'A ',
        { tag: 'strong', children: ['b'] },
        ' ',
        { tag: 'em', children: ['c'] },
        { tag: 'br', children: [] },
        "d & 'e' <f>",
      ],
    },
    { tag: 'ul', children: ['\n', { tag: 'li', children: ['x'] }, '\n'] },
    { tag: 'p', children: [{ tag: 'a', href: 'https://example.com/?a=1&b=2', children: ['y'] }] },
    { tag: 'hr', children: [] },
  ]);
});

it.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<iframe src="https://evil.test"></iframe>',
  '<p onclick="alert(1)">x</p>',
  '<style>*{display:none}</style>',
])('draws nothing but allowed elements without attributes of %s', (html) => {
  const tags = (nodes: HtmlNode[]): string[] =>
    nodes.flatMap((node) =>
      typeof node === 'string'
        ? []
        : [
            node.tag,
            ...Object.keys(node).filter((key) => !['tag', 'children'].includes(key)),
            ...tags(node.children),
          ],
    );
  expect(tags(parseHtml(html)).filter((tag) => tag !== 'p')).toEqual([]);
});

it.each([
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'java&#115;cript:alert(1)',
  'data:text/html,x',
  '/settings',
  '',
])('makes no link to %s', (href) => {
  expect(parseHtml(`<a href="${href}">x</a>`)).toEqual([{ tag: 'a', children: ['x'] }]);
});

it('ends what is not closed, ignores a stray end, and limits the depth', () => {
  expect(parseHtml('<p>a <strong>b</p>c</em>')).toEqual([
    { tag: 'p', children: ['a ', { tag: 'strong', children: ['b'] }] },
    'c',
  ]);
  const deep = JSON.stringify(parseHtml(`${'<blockquote>'.repeat(1000)}x${'</blockquote>'.repeat(1000)}`));
  expect(deep.match(/blockquote/g)?.length).toBeLessThanOrEqual(20);
  expect(deep).toContain('x');
});
