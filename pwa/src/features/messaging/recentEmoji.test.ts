import { beforeEach, expect, it } from 'vitest';
import { deviceKeys, storageKeys } from '@/base/storage.ts';
import { readRecentEmoji, storeRecentEmoji } from './recentEmoji.ts';

beforeEach(() => localStorage.clear());

it('keeps the newest twelve, each once', () => {
  for (const emoji of [...'🍇🍈🍉🍊🍋🍌🍍🥭🍎🍏🍐🍑🍒🍇']) storeRecentEmoji(emoji);
  expect(readRecentEmoji()).toEqual([...'🍇🍒🍑🍐🍏🍎🥭🍍🍌🍋🍊🍉']);
});

it('stores nothing on a device that keeps nothing', () => {
  localStorage.setItem(storageKeys.keepsNothing, '1');
  storeRecentEmoji('🍇');
  expect(readRecentEmoji()).toEqual([]);
});

it('ignores a stored value that is no list of texts', () => {
  for (const broken of ['{', '7', '[1, "🍇"]']) {
    localStorage.setItem(storageKeys.recentEmoji, broken);
    expect(readRecentEmoji()).toEqual(broken.startsWith('[') ? ['🍇'] : []);
  }
});

it('belongs to the member: signing out removes it', () => {
  expect(deviceKeys).not.toContain(storageKeys.recentEmoji);
});
