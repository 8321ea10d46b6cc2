import { beforeEach, expect, it, vi } from 'vitest';
import { Session } from '@/base/pageSession.ts';
import { storageKeys } from '@/base/storage.ts';
import {
  emptyDraft,
  readStoryDraft,
  removeStoryDraft,
  type StoryDraft,
  storeStoryDraft,
} from './storyDraft.ts';

const ann = new Session('ann');
const ben = new Session('ben');

beforeEach(() => {
  localStorage.clear();
  return () => localStorage.clear();
});

const draft = (title: string) => ({ ...emptyDraft(), title });

it('keeps the draft of a new story and that of a change beside each other', () => {
  const [fresh, change] = [draft('How we met'), draft('How we met, again')];
  storeStoryDraft(ann, null, fresh);
  storeStoryDraft(ann, 'post', change);
  expect(readStoryDraft(ann, null)).toEqual(fresh);
  expect(readStoryDraft(ann, 'post')).toEqual(change);
  expect(readStoryDraft(ann, 'another')).toBeNull();
  removeStoryDraft(ann, null);
  expect(readStoryDraft(ann, null)).toBeNull();
  expect(readStoryDraft(ann, 'post')).toEqual(change);
});

it('reads a draft of an earlier version, which had no tags', () => {
  const { tags: _, ...old } = draft('How we met');
  storeStoryDraft(ann, null, old as StoryDraft);
  expect(readStoryDraft(ann, null)).toEqual({ ...old, tags: '' });
});

it('shows no other member the draft, and forgets it when it is emptied', () => {
  storeStoryDraft(ann, null, draft('Secret'));
  expect(readStoryDraft(ben, null)).toBeNull();
  storeStoryDraft(ann, null, draft('  '));
  expect(localStorage.getItem(storageKeys.storyDraft)).toBeNull();
});

it('writes nothing on a device that keeps nothing, and has it until the page is left', () => {
  localStorage.setItem(storageKeys.keepsNothing, '1');
  storeStoryDraft(ann, null, draft('On a borrowed phone'));
  expect(localStorage.getItem(storageKeys.storyDraft)).toBeNull();
  expect(readStoryDraft(ann, null)?.title).toBe('On a borrowed phone');
  removeStoryDraft(ann, null);
  expect(readStoryDraft(ann, null)).toBeNull();
});

it('says when the device is full, and reads nothing from a broken value', () => {
  localStorage.setItem(storageKeys.storyDraft, '{');
  expect(readStoryDraft(ann, null)).toBeNull();
  const setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  vi.stubGlobal('localStorage', { getItem: () => null, setItem });
  expect(storeStoryDraft(ann, null, draft('Too long'))).toBe(false);
  vi.unstubAllGlobals();
});
