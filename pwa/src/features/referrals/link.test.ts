import { describe, expect, it } from 'vitest';
import { invitationText, linkOf, shareLinks } from './link.ts';

describe('the link', () => {
  const link = linkOf('A&B', 'https://heartward.example');

  it('contains the code', () => {
    expect(link).toBe('https://heartward.example/?ref=A%26B');
  });

  it('is encoded in every share address', () => {
    const texts = shareLinks(link).map(({ name, href }) => {
      const address = new URL(href);
      return { name, host: address.host, content: [...address.searchParams.values()].join(' ') };
    });
    expect(texts.map(({ name, host }) => [name, host])).toEqual([
      ['WhatsApp', 'wa.me'],
      ['Twitter', 'twitter.com'],
      ['Facebook', 'www.facebook.com'],
    ]);
    for (const { content } of texts) {
      expect(content).toContain(link);
      expect(content).toContain(invitationText);
    }
  });
});
