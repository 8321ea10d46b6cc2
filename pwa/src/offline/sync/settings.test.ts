import 'fake-indexeddb/auto';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../../api/request.ts';
import type { NotificationSettings } from '../../api/types.ts';
import { prepareSignOut } from '../device/wipe.ts';
import { kick } from '../outbox/outbox.ts';
import type { HeartwardDb } from '../store/db.ts';
import { DEFAULT_SETTINGS } from '../store/meta.ts';
import { freshDb, json } from '../testkit.ts';
import {
  followSettings,
  readSettings,
  saveSettings,
  storedSettings,
  syncSettings,
  useSettings,
} from './settings.ts';

let db: HeartwardDb;
let server: NotificationSettings;
/** Answers instead of the server; may throw like a lost network. */
let instead: (method: string) => Response | undefined;
let asked: string[];

beforeEach(async () => {
  db = await freshDb();
  server = { ...DEFAULT_SETTINGS };
  instead = () => undefined;
  asked = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(request.method);
    const answer = instead(request.method);
    if (answer) return answer;
    if (request.method === 'PUT') server = await request.json();
    return json(200, server);
  });
});
afterEach(() => vi.unstubAllGlobals());

/** Whenever the server has shown that it is there, the outbox is sent. */
async function sent(): Promise<void> {
  kick({ eager: true });
  await vi.waitFor(async () => expect(await db.outbox.count()).toBe(0));
}

const offline = () => {
  throw new TypeError('no network');
};

it('saves at the server and keeps a copy', async () => {
  expect(await storedSettings(db)).toBeNull();
  expect(await readSettings(db)).toEqual(DEFAULT_SETTINGS);
  expect(await saveSettings(db, { likes: false })).toBe('saved');
  expect(server).toEqual({ ...DEFAULT_SETTINGS, likes: false });
  instead = offline;
  expect((await storedSettings(db))?.likes).toBe(false);
});

it('keeps what is changed without a network, and sends it on top of what another device saved', async () => {
  await syncSettings(db);
  instead = offline;
  expect(await saveSettings(db, { sound: false })).toBe('stored');
  expect(await saveSettings(db, { autoplayVideo: true })).toBe('stored');
  expect(await readSettings(db)).toEqual({ ...DEFAULT_SETTINGS, sound: false, autoplayVideo: true });
  server = { ...server, matches: false, sound: true };
  instead = () => undefined;
  await sent();
  expect(server).toEqual({ ...DEFAULT_SETTINGS, matches: false, sound: false, autoplayVideo: true });
  expect(await readSettings(db)).toEqual(server);
  asked = [];
  await sent();
  expect(asked, 'nothing waits').toEqual([]);
  await syncSettings(db);
  expect(asked, 'nothing is left to send').toEqual(['GET']);
});

it.each([503, 429, 401])('keeps it when the server answers %s', async (status) => {
  instead = () => json(status, { detail: 'not now', kind: 'unavailable' });
  expect(await saveSettings(db, { sound: false })).toBe('stored');
  instead = () => undefined;
  await syncSettings(db);
  expect(server.sound).toBe(false);
});

it('takes back what the server refuses, and says why', async () => {
  await syncSettings(db);
  instead = (method) => (method === 'PUT' ? json(422, { detail: 'This is not a time zone.' }) : undefined);
  const saving = saveSettings(db, { timeZone: 'Mars/Olympus' });
  await expect(saving).rejects.toThrow(ApiError);
  expect((await readSettings(db)).timeZone).toBe('UTC');
  instead = () => undefined;
  await syncSettings(db);
  expect(server.timeZone).toBe('UTC');
});

it('does not lose a change made while another travels', async () => {
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  let first = true;
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'PUT') {
      if (first) {
        first = false;
        await arrived;
      }
      server = await request.json();
    }
    return json(200, server);
  });
  const one = saveSettings(db, { sound: false });
  await vi.waitFor(() => expect(first).toBe(false));
  const two = saveSettings(db, { sound: true, badges: false });
  await vi.waitFor(async () => expect((await readSettings(db)).badges).toBe(false));
  arrive();
  expect(await Promise.all([one, two])).toEqual(['saved', 'saved']);
  expect(server).toEqual({ ...DEFAULT_SETTINGS, badges: false });
  expect(await readSettings(db)).toEqual(server);
});

/** What a part of the app has when it is drawn for the first time. */
function atFirst(): NotificationSettings | undefined {
  let first: NotificationSettings | undefined;
  renderToString(createElement(Reader, { onRead: (read) => (first ??= read) }));
  return first;
}

function Reader({ onRead }: { onRead: (read: NotificationSettings) => void }) {
  onRead(useSettings());
  return null;
}

it('are there when something is drawn for the first time, until the member signs out', async () => {
  server = { ...DEFAULT_SETTINGS, highQualityMedia: false };
  const stop = followSettings(db);
  await vi.waitFor(() => expect(atFirst()?.highQualityMedia).toBe(false));
  await saveSettings(db, { autoplayVideo: true });
  await vi.waitFor(() => expect(atFirst()?.autoplayVideo).toBe(true));
  stop();
  await prepareSignOut();
  expect(atFirst()).toEqual(DEFAULT_SETTINGS);
});
