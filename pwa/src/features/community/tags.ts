/** The tags of stories. The server's form of a tag is in lower case and has one space between words. */
import { MAX_CREATE_POST_TAGS, MAX_CREATE_POST_TAGS_EACH } from '@/api/limits.gen.ts';
import type { PostCard } from '@/api/types.ts';

/** The number of tags beside the category. */
export const MAX_OWN_TAGS = MAX_CREATE_POST_TAGS - 1;

/** The number of characters of a field with all tags: names, commas and spaces. */
export const MAX_TAGS_TEXT = MAX_OWN_TAGS * (MAX_CREATE_POST_TAGS_EACH + 3);

/** Returns the tags of a post without its category, which a badge shows. */
export const ownTags = ({ tags, category }: Pick<PostCard, 'tags' | 'category'>): string[] =>
  tags.filter((tag) => tag !== category);

/** Returns the tags of a text in which commas or line breaks are between them, each once. */
export function parseTags(text: string): string[] {
  const tags = text
    .split(/[,،、，;\n]/)
    .map((tag) =>
      tag
        .replace(/^[#\s]+/, '')
        .trim()
        .replace(/\s+/g, ' ')
        .toLowerCase(),
    )
    .filter((tag) => tag !== '');
  return [...new Set(tags)];
}

/** Returns what is wrong with a text of tags, or undefined. */
export function findTagError(text: string): string | undefined {
  const tags = parseTags(text);
  if (tags.length > MAX_OWN_TAGS) return `Please use at most ${MAX_OWN_TAGS} tags.`;
  const long = tags.find((tag) => [...tag].length > MAX_CREATE_POST_TAGS_EACH);
  if (long) return `Please use at most ${MAX_CREATE_POST_TAGS_EACH} characters for a tag.`;
  return undefined;
}
