/**
 * Parses the HTML of a text that the server has rendered: a few elements with no attributes but `href`. Whatever else is
 * in it is shown as text, so that it can be drawn as React elements, and no string ever becomes HTML in the page.
 */
const BLOCKS = ['p', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'blockquote', 'pre'] as const;
const INLINE = ['strong', 'em', 'del', 'code', 'a'] as const;
const VOID = ['br', 'hr'] as const;

export type Tag = (typeof BLOCKS)[number] | (typeof INLINE)[number] | (typeof VOID)[number];
export type HtmlNode = string | { tag: Tag; href?: string; children: HtmlNode[] };

type Open = { tag: Tag | null; href?: string; children: HtmlNode[] };

const ALLOWED: ReadonlySet<string> = new Set([...BLOCKS, ...INLINE, ...VOID]);
const VOIDS: ReadonlySet<string> = new Set(VOID);
const MAX_DEPTH = 20;

const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]*)?)\/?>|[^<]+|</gi;

/** Returns the nodes of the HTML. Elements that are not closed end with the text. */
export function parseHtml(html: string): HtmlNode[] {
  const root: Open = { tag: null, children: [] };
  const stack = [root];
  const top = () => stack.at(-1) ?? root;
  const close = () => {
    const done = stack.length > 1 ? stack.pop() : undefined;
    if (done?.tag) top().children.push(nodeOf(done.tag, done));
  };
  for (const [token, slash, name = '', attributes = ''] of html.matchAll(TOKEN)) {
    const tag = name.toLowerCase();
    if (!name || !isTag(tag) || stack.length > MAX_DEPTH) {
      addText(top(), name && stack.length > MAX_DEPTH && isTag(tag) ? '' : decode(token));
      continue;
    }
    if (slash) {
      if (stack.some((open) => open.tag === tag)) {
        while (top().tag !== tag) close();
        close();
      }
    } else if (VOIDS.has(tag)) top().children.push({ tag, children: [] });
    else stack.push({ tag, href: tag === 'a' ? hrefOf(attributes) : undefined, children: [] });
  }
  while (stack.length > 1) close();
  return root.children;
}

const isTag = (name: string): name is Tag => ALLOWED.has(name);

const nodeOf = (tag: Tag, { href, children }: Open): HtmlNode => ({ tag, ...(href && { href }), children });

function addText({ children }: Open, text: string): void {
  if (!text) return;
  const last = children.at(-1);
  if (typeof last === 'string') children[children.length - 1] = last + text;
  else children.push(text);
}

/** Returns the address of a link if it is one of the web or of mail. */
function hrefOf(attributes: string): string | undefined {
  const quoted = /\shref="([^"]*)"/i.exec(attributes)?.[1];
  if (quoted === undefined || !URL.canParse(decode(quoted))) return undefined;
  const url = new URL(decode(quoted));
  return ['https:', 'http:', 'mailto:'].includes(url.protocol) ? url.href : undefined;
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (all, decimal, hex, name) => {
    if (name) return NAMED[name.toLowerCase()] ?? all;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
