import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { MessageText } from './MessageText.tsx';

it('opens a link in a new tab without opener and referrer', () => {
  const container = document.createElement('div');
  container.innerHTML = renderToStaticMarkup(
    <MessageText text="See (https://example.org/a?b=1). Not javascript:alert(1)" />,
  );
  const links = [...container.querySelectorAll('a')];
  expect(links.map(({ textContent }) => textContent)).toEqual(['https://example.org/a?b=1']);
  expect(links[0]?.getAttribute('href')).toBe('https://example.org/a?b=1');
  expect(links[0]?.rel).toBe('noopener noreferrer');
  expect(links[0]?.target).toBe('_blank');
  expect(container.textContent).toBe('See (https://example.org/a?b=1). Not javascript:alert(1)');
});
