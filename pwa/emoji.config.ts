/** The names and search words of emoji as a module, cut down from emojibase-data to a sixth of its size. */
import data from 'emojibase-data/en/data.json' with { type: 'json' };
import messages from 'emojibase-data/en/messages.json' with { type: 'json' };
import type { Plugin } from 'vite';

/** The newest version whose emoji every supported system draws: later ones would be empty boxes on older phones. */
const MAX_VERSION = 14;
/** The group of skin tones and hair, which are no emoji by themselves. */
const COMPONENTS = 2;

const NAME = 'virtual:emoji';

/** Returns the label of a group with a capital: "Smileys & emotion". */
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Returns an emoji as keyboards type it. After one that is drawn as an emoji anyway emojibase adds the sign that asks for
 * that: to members it would be another emoji.
 */
const asTyped = (emoji: string) => emoji.replace(/(\p{Emoji_Presentation})\uFE0F/gu, '$1');

function listEmoji() {
  const kept = messages.groups.filter(({ order }) => order !== COMPONENTS);
  const index = new Map(kept.map(({ order }, position) => [order, position]));
  const emojis = data
    .filter(({ group, version }) => group !== undefined && index.has(group) && version <= MAX_VERSION)
    .sort((one, other) => (one.order ?? 0) - (other.order ?? 0))
    .map(({ emoji, label, group, tags = [] }) => [
      asTyped(emoji),
      label,
      index.get(group ?? 0),
      tags.join(' '),
    ]);
  return { groups: kept.map(({ message }) => capital(message)), emojis };
}

/** Provides the module `virtual:emoji`. */
export const emojiModule: Plugin = {
  name: 'emoji-module',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load: (id) => {
    if (id !== `\0${NAME}`) return undefined;
    const { groups, emojis } = listEmoji();
    // Parsed as JSON, which browsers do in half the time of an array literal.
    const source = JSON.stringify(JSON.stringify(emojis));
    return `export const groups = ${JSON.stringify(groups)};\nexport const emojis = JSON.parse(${source});`;
  },
};
