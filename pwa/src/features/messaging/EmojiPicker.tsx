import {
  type EmojiPickerListCategoryHeaderProps,
  type EmojiPickerListEmojiProps,
  type EmojiPickerListRowProps,
  EmojiPicker as Picker,
} from 'frimousse';
import { type CSSProperties, useState } from 'react';
import { cn } from '@/ui';
import { emojiData } from './emojiData.ts';
import { readRecentEmoji, storeRecentEmoji } from './recentEmoji.ts';

/** The least width of a cell, and what the sheet around the picker needs beside it, in pixels. */
const CELL = 46;
const MARGINS = 40;
const MAX_WIDTH = 704;

/** Returns how many emoji fit beside each other: 6 at 320 px. */
const columnsNow = () => Math.floor((Math.min(innerWidth, MAX_WIDTH) - MARGINS) / CELL);

/**
 * All emoji with search, by group, below those picked last. The arrow keys move in the grid while the focus is in the
 * search field, and Enter picks.
 */
export default function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const [search, setSearch] = useState('');
  const [recent] = useState(readRecentEmoji);
  const [columns] = useState(columnsNow);

  function pick(emoji: string) {
    storeRecentEmoji(emoji);
    onPick(emoji);
  }

  return (
    <Picker.Root
      className="flex h-[min(26rem,58dvh)] flex-col"
      columns={columns}
      onEmojiSelect={({ emoji }) => pick(emoji)}
      resolveEmojiData={() => emojiData}
      style={{ '--cell': `${100 / columns}%` } as CSSProperties}
    >
      <Picker.Search
        aria-label="Search emoji"
        autoComplete="off"
        // Not on a phone, whose keyboard would cover the grid.
        autoFocus={matchMedia('(pointer: fine)').matches}
        className="min-h-12 w-full rounded-control border border-control bg-surface px-4 text-base text-ink"
        onChange={({ target }) => setSearch(target.value)}
        placeholder="Search emoji"
        value={search}
      />
      {search === '' && recent.length > 0 && <Recent columns={columns} emojis={recent} onPick={pick} />}
      <Picker.Viewport className="mt-2 min-h-0 flex-1 overflow-y-auto overscroll-contain">
        <Picker.Loading className="block py-4 text-center text-muted">Loading…</Picker.Loading>
        <Picker.Empty className="block py-4 text-center text-muted">No emoji has this name.</Picker.Empty>
        <Picker.List aria-label="Emoji" components={components} />
      </Picker.Viewport>
    </Picker.Root>
  );
}

type RecentProps = { emojis: string[]; columns: number; onPick: (emoji: string) => void };

/** One row of the emoji picked last. */
function Recent({ emojis, columns, onPick }: RecentProps) {
  return (
    <fieldset className="mt-2">
      <legend className="font-medium text-muted text-xs">Recent</legend>
      <div className="flex">
        {emojis.slice(0, columns).map((emoji) => (
          <button
            aria-label={emojiData.emojis.find((known) => known.emoji === emoji)?.label ?? emoji}
            className={cn(cell, 'hover:bg-raised')}
            key={emoji}
            onClick={() => onPick(emoji)}
            type="button"
          >
            {emoji}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

const cell = 'grid h-[44px] w-(--cell) shrink-0 place-items-center rounded-control text-[26px]';

const components = {
  CategoryHeader: ({ category, ...rest }: EmojiPickerListCategoryHeaderProps) => (
    <div {...rest} className="bg-surface py-1 font-medium text-muted text-xs">
      {category.label}
    </div>
  ),
  Row: ({ children, ...rest }: EmojiPickerListRowProps) => (
    <div {...rest} className="flex">
      {children}
    </div>
  ),
  Emoji: ({ emoji, ...rest }: EmojiPickerListEmojiProps) => (
    <button type="button" {...rest} className={cn(cell, emoji.isActive && 'bg-ember-soft')}>
      {emoji.emoji}
    </button>
  ),
};
