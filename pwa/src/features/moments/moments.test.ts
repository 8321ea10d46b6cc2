import { expect, test } from 'vitest';
import type { Moment } from '@/api/types.ts';
import { breakLines } from '@/media/canvas.ts';
import { contentOf, shareLinks, showsPeer } from './content.ts';
import { withPendingShares } from './moments.ts';

const match = (consent: Moment['consent']): Moment => ({
  id: 'm',
  momentType: 'match',
  title: 'New match',
  caption: '',
  imageUrl: null,
  shareCount: 2,
  createdAt: '2026-01-01T00:00:00Z',
  badge: null,
  peer: { id: 'p', firstName: 'Ben', profileImageUrl: '/files/x/thumb.webp' },
  consent,
});

test('the other member is named only with their consent', () => {
  for (const consent of ['none', 'asked'] as const) {
    expect(JSON.stringify(contentOf(match(consent), 'Ann'))).not.toContain('Ben');
    expect(showsPeer(match(consent))).toBe(false);
  }
  expect(contentOf(match('given'), 'Ann').headline).toBe('Ann & Ben');
  expect(showsPeer(match('given'))).toBe(true);
  expect(showsPeer({ ...match('given'), peer: null })).toBe(false);
});

test('the links contain the caption and the site', () => {
  const { twitter, whatsapp } = shareLinks('A & B?', 'https://heartward.test');
  expect(new URL(twitter).searchParams.get('text')).toBe('A & B?');
  expect(new URL(twitter).searchParams.get('url')).toBe('https://heartward.test');
  expect(new URL(whatsapp).searchParams.get('text')).toBe('A & B? https://heartward.test');
});

test('words are broken where the line is full', () => {
  const fits = (line: string) => line.length <= 8;
  expect(breakLines('one two three four', fits)).toEqual(['one two', 'three', 'four']);
  expect(breakLines('incomprehensible yes', fits)).toEqual(['incomprehensible', 'yes']);
  expect(breakLines('  ', fits)).toEqual([]);
});

test('shares that wait on the device are counted', () => {
  expect(withPendingShares([match('none')], ['m', 'other', 'm'])[0]?.shareCount).toBe(4);
});
