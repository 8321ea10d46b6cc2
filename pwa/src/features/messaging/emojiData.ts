import { emojis, groups } from 'virtual:emoji';
import type { EmojiData } from 'frimousse';

/** The English names, search words and groups of all emoji, from emojibase-data (emoji.config.ts). */
export const emojiData: EmojiData = {
  locale: 'en',
  categories: groups.map((label, index) => ({ index, label })),
  emojis: emojis.map(([emoji, label, category, tags]) => ({
    emoji,
    label,
    category,
    tags: tags.split(' '),
    // Already filtered by it.
    version: 0,
  })),
  // The picker offers none: a variant can be typed.
  skinTones: { light: '', 'medium-light': '', medium: '', 'medium-dark': '', dark: '' },
};
