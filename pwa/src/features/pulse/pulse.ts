/** The member's Love Pulse: mirrored on the device, and written through the outbox. */
import { useEffect } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { api, unwrap, unwrapPage } from '@/api/client.ts';
import type { MoodDay, PulseEntry, PulseMood } from '@/api/types.ts';
import { useDay } from '@/base/now.ts';
import { deviceTimeZone } from '@/base/timeZone.ts';
import { useSocket } from '@/live/sessionSocket.ts';
import { enqueue, outboxTables, pulseRow } from '@/offline/outbox/outbox.ts';
import { discard } from '@/offline/outbox/rejectedRows.ts';
import { useCached } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { deleteMeta, getMeta, type Meta, setMeta } from '@/offline/store/meta.ts';
import { withEntry } from '@/offline/store/pulses.ts';
import type { OutboxRow, PulseEdit } from '@/offline/store/rows.ts';
import { fetchNextPage, type Mirror, type Page, refreshMirror } from '@/offline/sync/mirror.ts';
import { queryClient } from '@/session/query.ts';
import { dateOf, questionOf } from './day.ts';
import { removePulseDraft } from './pulseDraft.ts';

/** An entry as the screen shows it: the server's, or one of the outbox. */
export type ShownEntry = Pick<PulseEntry, 'date' | 'question' | 'mood' | 'reflection'> & {
  editedAt: number;
  state: 'stored' | 'waiting' | 'failed';
  /** Why the server has rejected it. */
  reason?: string;
  /** Whether another device has replaced what this one had saved. */
  isFromOtherDevice?: boolean;
};

export type PulseView = {
  /** The newest first. */
  entries: ShownEntry[];
  next: string | null;
  streak: Meta['pulse']['streak'];
};

type PulseRow = OutboxRow & { body: PulseEdit };
const isPulse = (row: OutboxRow): row is PulseRow => row.body.kind === 'pulse';

const fromRow = ({ body, state, reason }: PulseRow): ShownEntry => ({
  ...body,
  state: state === 'failed' ? 'failed' : 'waiting',
  ...(reason && { reason }),
});

/** Returns what is stored with the unsent entries in place of the server's of their days; null if nothing is known. */
export async function readPulse(db: HeartwardDb): Promise<PulseView | null> {
  const stored = await getMeta(db, 'pulse');
  const rows = (await db.outbox.toArray()).filter(isPulse);
  if (!stored && rows.length === 0) return null;
  const edit = await getMeta(db, 'pulse:edit');
  const unsent = new Set(rows.map(({ body }) => body.date));
  const entries = (stored?.entries ?? [])
    .filter(({ date }) => !unsent.has(date))
    .map(
      (entry): ShownEntry => ({
        ...entry,
        editedAt: Date.parse(entry.editedAt),
        state: 'stored',
        isFromOtherDevice: edit?.date === entry.date && edit.editId !== entry.clientId,
      }),
    );
  return {
    entries: [...rows.map(fromRow), ...entries].sort((a, b) => b.date.localeCompare(a.date)),
    next: stored?.next ?? null,
    streak: stored?.streak ?? null,
  };
}

type PulsePage = Page<PulseEntry> & { streak?: Meta['pulse']['streak'] };

const mirror: Mirror<PulseEntry, PulsePage> = {
  fetch: async ({ memberId: userId }, cursor, signal) => {
    const path = { userId };
    const page = await unwrapPage(
      api.GET('/api/love-pulse/{userId}/history', { params: { path, query: { cursor } }, signal }),
    );
    if (cursor) return page;
    const query = { timeZone: deviceTimeZone() };
    const streak = await unwrap(
      api.GET('/api/love-pulse/{userId}/streak', { params: { path, query }, signal }),
    );
    return { ...page, streak };
  },
  memberOf: () => undefined,
  readCursor: async (db) => (await getMeta(db, 'pulse'))?.next ?? null,
  tables: () => [],
  replace: async (db, { items, next, last, streak = null }) => {
    // Later pages stay, unless entries may be missing between the page and them.
    const stored = await getMeta(db, 'pulse');
    const overlaps = last && stored?.entries.some(({ date }) => date >= last.date);
    const older = next && stored && overlaps ? stored.entries.filter(({ date }) => date < last.date) : [];
    const isLonger = older.length > 0 && stored;
    await setMeta(db, 'pulse', {
      entries: [...items, ...older],
      next: isLonger ? stored.next : next,
      streak,
    });
  },
  append: async (db, { items, next }) => {
    const stored = (await getMeta(db, 'pulse')) ?? { entries: [], streak: null };
    await setMeta(db, 'pulse', { ...stored, entries: items.reduce(withEntry, stored.entries), next });
  },
};

const refreshPulse = (db: HeartwardDb, signal?: AbortSignal) => refreshMirror(db, mirror, signal);
export const fetchOlder = (db: HeartwardDb) => fetchNextPage(db, mirror);

const key = ['love-pulse'];

/** Fetches again when the server says that it has changed, also by another device. */
export function useRefreshOnChanges(queryKey: readonly unknown[]): void {
  const socket = useSocket();
  useEffect(() => {
    const invalidate = () => void queryClient.invalidateQueries({ queryKey });
    return socket.onAny(['pulse_changed', 'graduation_changed', 'identified', 'sync'], invalidate);
  }, [socket, queryKey]);
}

const refreshKey = ['refresh', ...key];

export function usePulse() {
  useRefreshOnChanges(refreshKey);
  return useCached<PulseView | null>({ key, read: readPulse, refresh: refreshPulse, staleMs: 0 });
}

const yearKey = (year: number) => `pulse:year:${year}` as const;

async function refreshYear(db: HeartwardDb, year: number, signal: AbortSignal): Promise<MoodDay[]> {
  const path = { userId: db.memberId, year };
  const days =
    (await unwrap(api.GET('/api/love-pulse/{userId}/years/{year}', { params: { path }, signal }))) ?? [];
  await setMeta(db, yearKey(year), days);
  return days;
}

/** The moods of a year, as far as they are known. */
export const useYear = (year: number) =>
  useCached<MoodDay[] | null>({
    key: ['love-pulse', 'year', year],
    read: async (db) => (await getMeta(db, yearKey(year))) ?? null,
    refresh: async (db, signal) => void (await refreshYear(db, year, signal)),
    staleMs: 0,
  });

/** Returns the server's entry of a date; rejects if there is none. */
export function fetchDay(db: HeartwardDb, date: string, signal: AbortSignal): Promise<PulseEntry> {
  const path = { userId: db.memberId, date };
  return unwrap(api.GET('/api/love-pulse/{userId}/{date}', { params: { path }, signal }));
}

/** Stores the entry of a date for looking back on it, or that there is none. */
export async function refreshLookBack(db: HeartwardDb, date: string, signal: AbortSignal): Promise<void> {
  const days = await refreshYear(db, Number(date.slice(0, 4)), signal);
  if (!days.some((day) => day.date === date)) return deleteMeta(db, 'pulse:lookBack');
  await setMeta(db, 'pulse:lookBack', await fetchDay(db, date, signal));
}

/** The entry of a date for looking back on it, also without a connection once it was loaded; null for none. */
export const useLookBack = (date: string) =>
  useCached<PulseEntry | null>({
    key: ['love-pulse', 'look-back', date],
    read: async (db) => {
      const entry = await getMeta(db, 'pulse:lookBack');
      return entry?.date === date ? entry : null;
    },
    refresh: (db, signal) => refreshLookBack(db, date, signal),
    staleMs: 0,
  });

/** Returns today's date on this device; a new one after midnight. */
export function useToday(): string {
  useDay();
  return dateOf(new Date());
}

/** Saves the entry of a day on this device, and sends it. */
export async function savePulse(
  db: HeartwardDb,
  date: string,
  mood: PulseMood,
  reflection: string,
): Promise<void> {
  const editId = uuidv7();
  await discard(db, pulseRow(date));
  await db.transaction('rw', [...outboxTables(db), db.meta], async () => {
    await enqueue(db, {
      kind: 'pulse',
      editId,
      date,
      timeZone: deviceTimeZone(),
      question: questionOf(date),
      mood,
      reflection: reflection.trim(),
      editedAt: Date.now(),
    });
    await setMeta(db, 'pulse:edit', { date, editId });
  });
  removePulseDraft(db, date);
}

/** Removes an entry that the server has rejected, and what was changed in it. */
export function discardPulse(db: HeartwardDb, date: string): Promise<boolean> {
  removePulseDraft(db, date);
  return discard(db, pulseRow(date));
}
