import 'fake-indexeddb/auto';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { notificationDefaults } from '@/api/defaults.gen.ts';
import { ApiError } from '@/api/request.ts';
import type { NotificationSettings } from '@/api/types.ts';
import { prepareSignOut } from '@/offline/device/wipe.ts';
import { drain } from '@/offline/outbox/drain.ts';
import { senderOf } from '@/offline/outbox/sender.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { freshDb, json, SignedIn } from '@/offline/testkit.ts';
import {
  readSettings,
  saveSettings,
  startSettingsSync,
  storedSettings,
  syncSettings,
  useSettings,
} from './storedSettings.ts';

let db: HeartwardDb;
let server: NotificationSettings;
/** Its result, unless undefined, replaces the server's response; it may throw a network error. */
let intercept: (method: string) => Response | undefined;
let methods: string[];

beforeEach(async () => {
  db = await freshDb();
  senderOf(db).setDrain(drain);
  server = { ...notificationDefaults };
  intercept = () => undefined;
  methods = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    methods.push(request.method);
    const response = intercept(request.method);
    if (response) return response;
    if (request.method === 'PUT') server = await request.json();
    return json(200, server);
  });
});
afterEach(() => vi.unstubAllGlobals());

/** Sends the outbox, as after the connection is back. */
async function sendOutbox(): Promise<void> {
  senderOf(db).kick({ eager: true });
  await vi.waitFor(async () => expect(await db.outbox.count()).toBe(0));
}

const offline = () => {
  throw new TypeError('no network');
};

it('saveSettings saves on the server and on the device', async () => {
  expect(await storedSettings(db)).toBeNull();
  expect(await readSettings(db)).toEqual(notificationDefaults);
  expect(await saveSettings(db, { likes: false })).toBe('saved');
  expect(server).toEqual({ ...notificationDefaults, likes: false });
  intercept = offline;
  expect((await storedSettings(db))?.likes).toBe(false);
});

it('offline changes are stored, and sent without reverting the changes of another device', async () => {
  await syncSettings(db);
  intercept = offline;
  expect(await saveSettings(db, { sound: false })).toBe('stored');
  expect(await saveSettings(db, { autoplayVideo: true })).toBe('stored');
  expect(await readSettings(db)).toEqual({ ...notificationDefaults, sound: false, autoplayVideo: true });
  server = { ...server, matches: false, sound: true };
  intercept = () => undefined;
  await sendOutbox();
  expect(server).toEqual({ ...notificationDefaults, matches: false, sound: false, autoplayVideo: true });
  expect(await readSettings(db)).toEqual(server);
  methods = [];
  await sendOutbox();
  expect(methods, 'the outbox is empty').toEqual([]);
  await syncSettings(db);
  expect(methods, 'no change is sent again').toEqual(['GET']);
});

it.each([503, 429, 401])('a change is stored when the server responds with status %s', async (status) => {
  intercept = () => json(status, { detail: 'not now', kind: 'unavailable' });
  expect(await saveSettings(db, { sound: false })).toBe('stored');
  intercept = () => undefined;
  await syncSettings(db);
  expect(server.sound).toBe(false);
});

it('a rejected change is reverted, with the reason', async () => {
  await syncSettings(db);
  intercept = (method) => (method === 'PUT' ? json(422, { detail: 'This is not a time zone.' }) : undefined);
  const saving = saveSettings(db, { timeZone: 'Mars/Olympus' });
  await expect(saving).rejects.toThrow(ApiError);
  expect((await readSettings(db)).timeZone).toBe('UTC');
  intercept = () => undefined;
  await syncSettings(db);
  expect(server.timeZone).toBe('UTC');
});

it('a change made while another is in flight is not lost', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let first = true;
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'PUT') {
      if (first) {
        first = false;
        await released;
      }
      server = await request.json();
    }
    return json(200, server);
  });
  const firstSave = saveSettings(db, { sound: false });
  await vi.waitFor(() => expect(first).toBe(false));
  const secondSave = saveSettings(db, { sound: true, badges: false });
  await vi.waitFor(async () => expect((await readSettings(db)).badges).toBe(false));
  release();
  expect(await Promise.all([firstSave, secondSave])).toEqual(['saved', 'saved']);
  expect(server).toEqual({ ...notificationDefaults, badges: false });
  expect(await readSettings(db)).toEqual(server);
});

it('the device gives its time zone to settings that have none, and changes no other zone', async () => {
  const stop = startSettingsSync(db, 'Europe/Vienna');
  await vi.waitFor(() => expect(server).toEqual({ ...notificationDefaults, timeZone: 'Europe/Vienna' }));
  await sendOutbox();
  for (const chosen of [
    { timeZone: 'Asia/Tokyo' },
    { timeZone: 'UTC', quietFrom: '22:00', quietTo: '07:00' },
  ]) {
    server = { ...notificationDefaults, ...chosen };
    methods = [];
    dispatchEvent(new Event('online'));
    await vi.waitFor(async () => expect(await storedSettings(db)).toMatchObject(chosen));
    // Another refresh would send what the first has changed.
    dispatchEvent(new Event('online'));
    await vi.waitFor(() => expect(methods.length).toBeGreaterThan(1));
    await sendOutbox();
    expect(methods).toEqual(['GET', 'GET']);
  }
  stop();
});

/** Returns the settings of a component's first render. */
function readOnFirstRender(): NotificationSettings | undefined {
  let first: NotificationSettings | undefined;
  const reader = createElement(Reader, { onRead: (read) => (first ??= read) });
  renderToString(createElement(SignedIn, null, reader));
  return first;
}

function Reader({ onRead }: { onRead: (read: NotificationSettings) => void }) {
  onRead(useSettings());
  return null;
}

it('the first render of a component has the settings, until the member signs out', async () => {
  server = { ...notificationDefaults, highQualityMedia: false };
  const stop = startSettingsSync(db, 'UTC');
  await vi.waitFor(() => expect(readOnFirstRender()?.highQualityMedia).toBe(false));
  await saveSettings(db, { autoplayVideo: true });
  await vi.waitFor(() => expect(readOnFirstRender()?.autoplayVideo).toBe(true));
  stop();
  await prepareSignOut();
  expect(readOnFirstRender()).toEqual(notificationDefaults);
});
