import { type ReactNode, useMemo } from 'react';
import { cn } from './cn.ts';
import { type HtmlNode, parseHtml, type Tag } from './html.ts';

/** The server begins with h3: below the title of a post in a list. */
const elements: Record<Exclude<Tag, 'a'>, { Element: Exclude<Tag, 'a'>; className?: string }> = {
  p: { Element: 'p' },
  h2: { Element: 'h3', className: 'font-display font-semibold text-xl' },
  h3: { Element: 'h3', className: 'font-display font-semibold text-lg' },
  h4: { Element: 'h4', className: 'font-semibold' },
  ul: { Element: 'ul', className: 'list-disc space-y-1 ps-6 marker:text-ember' },
  ol: { Element: 'ol', className: 'list-decimal space-y-1 ps-6 marker:text-muted' },
  li: { Element: 'li', className: 'space-y-2' },
  blockquote: { Element: 'blockquote', className: 'space-y-3 border-plum border-s-4 ps-4 text-muted' },
  pre: { Element: 'pre', className: 'overflow-x-auto rounded-control bg-raised p-4 text-sm' },
  strong: { Element: 'strong', className: 'font-semibold' },
  em: { Element: 'em', className: 'italic' },
  del: { Element: 'del' },
  code: { Element: 'code', className: 'rounded-[4px] bg-raised px-1 text-sm' },
  br: { Element: 'br' },
  hr: { Element: 'hr', className: 'border-line' },
};

function draw(nodes: HtmlNode[]): ReactNode[] {
  return nodes.map((node, index) => {
    if (typeof node === 'string') return node;
    const { tag, href, children } = node;
    // The nodes never change their order: the text is parsed anew when it changes.
    const key = `${index}-${tag}`;
    if (tag === 'a') return <Anchor href={href} key={key} nodes={children} />;
    const { Element, className } = elements[tag];
    if (tag === 'br' || tag === 'hr') return <Element className={className} key={key} />;
    return (
      <Element className={className} key={key}>
        {draw(children)}
      </Element>
    );
  });
}

/** A link of a member leads to another site: in a new tab, and without telling it where the reader came from. */
function Anchor({ href, nodes }: { href?: string; nodes: HtmlNode[] }) {
  if (!href) return <span>{draw(nodes)}</span>;
  return (
    <a
      className="font-medium text-ember-strong underline"
      href={href}
      rel="nofollow noopener noreferrer ugc"
      target="_blank"
    >
      {draw(nodes)}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

/** A member's text as the server has rendered it, drawn as elements. */
export function RichText({ html, className }: { html: string; className?: string }) {
  const content = useMemo(() => draw(parseHtml(html)), [html]);
  return (
    <div className={cn('wrap-anywhere space-y-4', className)} dir="auto">
      {content}
    </div>
  );
}
