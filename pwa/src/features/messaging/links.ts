/** Splits a text into links and other text. Only http and https become links; nothing is fetched from them. */
export type Piece = { text: string; href?: string };

/** Chinese, Japanese and full-width punctuation follows an address without a space, and is never part of one. */
const ADDRESS =
  /\bhttps?:\/\/[^\s<>"“”«»\u3001-\u3020\u3030\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+/giu;
/** Punctuation at the end of an address belongs to the sentence. An underscore does not: ids of videos end with it. */
const PUNCTUATION = /[.,;:!?…'’،؛؟۔।॥]+$/u;
/** Marks of emphasis belong to the sentence if one is before the address too. */
const EMPHASIS = /[*~]$/;

export function linkify(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = withoutPunctuation(match[0], text[match.index - 1]);
    const link = linkOf(address);
    if (!link) continue;
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    pieces.push(link);
    end = match.index + address.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

/** Removes punctuation, and a closing bracket or mark that was opened before the address. */
function withoutPunctuation(address: string, before: string | undefined): string {
  let rest = address;
  for (;;) {
    let next = rest.replace(PUNCTUATION, '');
    if (EMPHASIS.test(next) && next.endsWith(before ?? ' ')) next = next.slice(0, -1);
    for (const [open, close] of ['()', '[]', '{}'].map((pair) => [...pair] as [string, string]))
      if (next.endsWith(close) && next.split(close).length > next.split(open).length)
        next = next.slice(0, -1);
    if (next === rest) return rest;
    rest = next;
  }
}

function linkOf(address: string): Piece | null {
  try {
    const url = new URL(address);
    // Credentials before the host can imitate another host.
    if (!/^https?:$/.test(url.protocol) || url.username || url.password) return null;
    return { text: safeText(address, url), href: url.href };
  } catch {
    return null;
  }
}

const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Hebrew',
  'Arabic',
  'Thai',
  'Devanagari',
  'Georgian',
];
const scripts = [
  ...SCRIPTS.map((script) => new RegExp(`\\p{Script=${script}}`, 'u')),
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u,
];

/**
 * Returns the ASCII form of an address whose host mixes scripts, which can imitate another host, or that has invisible
 * characters, which can change the order in which it is read.
 */
function safeText(address: string, url: URL): string {
  const [host = ''] = address.replace(/^https?:\/\//i, '').split(/[/?#:]/, 1);
  const scriptCount = scripts.filter((script) => script.test(host)).length;
  const hasUnknownScript = [...host].some(
    (letter) => /\p{L}/u.test(letter) && !scripts.some((script) => script.test(letter)),
  );
  return scriptCount > 1 || hasUnknownScript || /\p{Cf}/u.test(address) ? url.href : address;
}
