import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { draftKeys } from '@/base/storage.ts';
import { enqueue } from '../outbox/outbox.ts';
import { startMemory } from '../store/memory.ts';
import { CONVERSATION, fakeCaches, freshDb, ME, openDb, PEER } from '../testkit.ts';
import { setKeepsNothing, setKeepsNothingBeforeSignIn } from './keeping.ts';
import { readDeviceMember } from './marker.ts';
import { bindDeviceTo, wipeDevice } from './wipe.ts';

const names = async () => (await indexedDB.databases()).map(({ name }) => name);

const write = (content: string) =>
  enqueue(openDb(ME), { kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content });

beforeEach(async () => {
  localStorage.clear();
  vi.stubGlobal('caches', fakeCaches({ [`hw-files-${ME}-thumb.webp`]: {} }));
  await freshDb();
  await bindDeviceTo(ME);
  return () => vi.unstubAllGlobals();
});

it('deletes what the device has stored, and the worker finds no member at this and later starts', async () => {
  for (const key of draftKeys) localStorage.setItem(key, '{}');
  await write('before');
  await setKeepsNothing(true);
  await bindDeviceTo(ME);
  expect(await names()).toEqual([]);
  expect(await caches.keys()).not.toContain(`hw-files-${ME}-thumb.webp`);
  expect(await readDeviceMember()).toBeNull();
  expect({ ...localStorage }).toEqual({ 'hw.member': ME, 'hw.keeps-nothing': '1' });
});

it('stores nothing at all when the store in memory could not be loaded', async () => {
  await setKeepsNothing(true);
  await expect(openDb(ME).open()).rejects.toThrow('keeps nothing');
});

it('writes to the memory of the page, which shares its work with no other page', async () => {
  await setKeepsNothing(true);
  startMemory();
  await write('in memory');
  expect(await openDb(ME).outbox.count()).toBe(1);
  expect(await names()).toEqual([]);
  expect(openDb(ME).scope).toMatch(new RegExp(`^${ME}-.`));
});

it('keeps everything again once it is turned off', async () => {
  await setKeepsNothing(true);
  startMemory();
  await setKeepsNothing(false);
  await write('after');
  expect(await names()).toEqual([`heartward-${ME}`]);
  expect(openDb(ME).scope).toBe(ME);
  expect(await readDeviceMember()).toBe(ME);
});

it('ends when the member signs out', async () => {
  await setKeepsNothing(true);
  await wipeDevice();
  expect(localStorage.getItem('hw.keeps-nothing')).toBeNull();
});

it('lasts when another member signs in without a sign-out', async () => {
  await setKeepsNothing(true);
  await bindDeviceTo('another');
  expect({ ...localStorage }).toEqual({ 'hw.member': 'another', 'hw.keeps-nothing': '1' });
  expect(await readDeviceMember()).toBeNull();
});

it('chosen before the sign-in stores nothing of the member from the first moment, and deletes what another left', async () => {
  await write('of another member');
  await setKeepsNothingBeforeSignIn(true);
  await bindDeviceTo('borrower');
  expect(await openDb('borrower').outbox.count()).toBe(0);
  expect(await names()).toEqual([]);
  expect(await readDeviceMember()).toBeNull();

  await wipeDevice();
  await setKeepsNothingBeforeSignIn(true);
  await setKeepsNothingBeforeSignIn(false);
  await bindDeviceTo('owner');
  await openDb('owner').open();
  expect(await names()).toEqual(['heartward-owner']);
});
