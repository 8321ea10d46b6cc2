/** Matches utilities of which only the last in a group counts: text size, colour, radius, transition, gap, padding, size. */
const group =
  /^((?:[^\s[\]:]+:)*)(?:(text)-(?:xs|sm|base|[2-4]?xl|lg)|(text-)(?!center|start|end|balance|wrap|nowrap|\[)\S+|(rounded)-(?:control|card|sheet|full|none)|(transition)-\S+|(gap|px|py|size|h|min-h|max-h)-(?![xy]-)\S+)$/;
const cache = new Map<string, string>();

/**
 * Joins class names and omits empty ones: `cn('card', active && 'bg-ember-soft')`. Of the utilities of one group only the
 * last is kept, so that a class given to a component overrides its own (overrides.test.tsx).
 */
export function cn(...parts: (string | false | null | undefined)[]): string {
  const joined = parts.filter(Boolean).join(' ');
  let result = cache.get(joined);
  if (result === undefined) {
    result = merge(joined);
    cache.set(joined, result);
  }
  return result;
}

function merge(joined: string): string {
  const seen = new Set<string>();
  const remaining = joined
    .split(/\s+/)
    .filter(Boolean)
    .reverse()
    .filter((name) => {
      const match = group.exec(name);
      if (!match) return true;
      const key = match.slice(1).join('');
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
  return remaining.reverse().join(' ');
}
