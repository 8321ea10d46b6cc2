/** Utilities of which only one can hold; the last one given wins, as it would between inline styles. */
const group =
  /^((?:[^\s[\]:]+:)*)(?:(text)-(?:xs|sm|base|[2-4]?xl|lg)|(rounded)-(?:control|card|sheet|full|none)|(px|py|size|h|min-h|max-h)-\S+)$/;
const merged = new Map<string, string>();

/**
 * Joins class names, leaving out what is empty: `cn('card', active && 'bg-ember-soft')`. What a component is
 * given takes the place of its own size, radius, padding and text size, whatever their order in the stylesheet.
 */
export function cn(...parts: (string | false | null | undefined)[]): string {
  const joined = parts.filter(Boolean).join(' ');
  let result = merged.get(joined);
  if (result === undefined) {
    result = merge(joined);
    merged.set(joined, result);
  }
  return result;
}

function merge(joined: string): string {
  const taken = new Set<string>();
  const kept = joined
    .split(/\s+/)
    .filter(Boolean)
    .reverse()
    .filter((name) => {
      const match = group.exec(name);
      if (!match) return true;
      const key = match.slice(1).join('');
      if (taken.has(key)) return false;
      taken.add(key);
      return true;
    });
  return kept.reverse().join(' ');
}
