import { expect, it } from 'vitest';
import { type HtmlNode, parseHtml, type Tag } from '@/ui/html.ts';
import cases from './testdata/markdown.json';

/** Returns the nodes that the browser's parser makes of the HTML. */
const parseByBrowser = (html: string): HtmlNode[] =>
  [...new DOMParser().parseFromString(html, 'text/html').body.childNodes].map(nodeOf);

function nodeOf(node: ChildNode): HtmlNode {
  if (!(node instanceof Element)) return node.textContent ?? '';
  const href = node.getAttribute('href');
  return {
    tag: node.tagName.toLowerCase() as Tag,
    ...(href && { href: new URL(href).href }),
    children: [...node.childNodes].map(nodeOf),
  };
}

// The server's test of the same cases asserts that it renders this HTML.
it.each(cases)('draws what the server renders of $markdown as a browser would', ({ html }) => {
  expect(parseHtml(html)).toEqual(parseByBrowser(html));
});
