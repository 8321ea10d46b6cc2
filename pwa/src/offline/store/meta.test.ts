import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { notificationDefaults } from '@/api/defaults.gen.ts';
import { freshDb } from '../testkit.ts';
import type { HeartwardDb } from './db.ts';
import { deleteMeta, getMeta, setMeta } from './meta.ts';

let db: HeartwardDb;
beforeEach(async () => {
  db = await freshDb();
});

describe('getMeta', () => {
  it('returns what was stored, until it is deleted', async () => {
    await setMeta(db, 'syncCursor', 'c1');
    expect(await getMeta(db, 'syncCursor')).toBe('c1');
    await deleteMeta(db, 'syncCursor');
    expect(await getMeta(db, 'syncCursor')).toBeUndefined();
  });

  it('returns the default of a value that was never stored', async () => {
    expect(await getMeta(db, 'passes')).toEqual([]);
    expect(await getMeta(db, 'likes:seenAt')).toBe('');
  });

  it('adds the fields that a value stored by an older version lacks', async () => {
    const { downloadForOffline: _, ...older } = { ...notificationDefaults, sound: false };
    await db.table('meta').put({ key: 'settings', value: older });
    expect(await getMeta(db, 'settings')).toEqual({ ...notificationDefaults, sound: false });
  });
});
