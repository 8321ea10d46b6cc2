/** Utilities that exclude each other, by what they set: size, colour, radius, padding … The last one given wins. */
const group =
  /^((?:[^\s[\]:]+:)*)(?:(text)-(?:xs|sm|base|[2-4]?xl|lg)|(text-)(?!center|left|right|balance|wrap|nowrap|\[)\S+|(rounded)-(?:control|card|sheet|full|none)|(transition)-\S+|(gap|px|py|size|h|min-h|max-h)-(?![xy]-)\S+)$/;
const merged = new Map<string, string>();

/**
 * Joins class names, leaving out what is empty: `cn('card', active && 'bg-ember-soft')`. What a component is
 * given replaces its own utility of the same group, whatever their order in the stylesheet (overrides.test.tsx).
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
