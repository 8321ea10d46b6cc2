/** The requests about the queue of everything that waits for a moderator. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, unwrap, unwrapPage } from '@/api/client.ts';
import type { QueueCount, QueueEntry } from '@/api/types.ts';
import { part, useSession } from '@/base/pageSession.ts';
import { createEmitter } from '@/base/store.ts';
import { REFRESH_MS, refreshQueue, useQueue } from './adminRequests.ts';

export type QueueKind = QueueEntry['kind'];

export const useQueueEntries = (kind?: QueueKind) =>
  useQueue<QueueEntry>(['queue', 'list', kind ?? 'all'], (cursor) =>
    unwrapPage(api.GET('/api/admin/queue', { params: { query: { kind, cursor } } })),
  );

/** The numbers of what waits, refreshed with the list. */
export const useQueueCounts = () =>
  useQuery({
    queryKey: ['admin', 'queue', 'counts'],
    queryFn: () => unwrap(api.GET('/api/admin/queue/counts')),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: REFRESH_MS,
  });

/** The server counts at most this many of a kind. */
const MOST_COUNTED = 1000;

/** Returns "37", or "1000+" if the server stopped counting; undefined while nothing is known. */
export function queueTotal(counts?: QueueCount[]): string | undefined {
  if (!counts) return undefined;
  const total = counts.reduce((sum, { waiting }) => sum + waiting, 0);
  return `${total}${counts.some(({ waiting }) => waiting === MOST_COUNTED) ? '+' : ''}`;
}

/** Releases the moderator's claim on an entry. If that fails, the claim expires. */
async function release(kind: QueueKind, id: string): Promise<void> {
  try {
    await unwrap(api.DELETE('/api/admin/queue/{kind}/{id}/claim', { params: { path: { kind, id } } }));
  } catch {
    return;
  }
  await refreshQueue('queue');
}

/** What a decision on a story or comment names of it. */
export type Read = { id: string; version: number; status: string };

/** What was opened in this session of work, which may be decided with others at once. In memory only. */
const openedHereOf = part(() => ({ entries: new Map<string, Read | null>(), openings: createEmitter() }));

/** Returns what was opened here, by its id, and renders again when another entry is. */
export function useOpenedHere(): ReadonlyMap<string, Read | null> {
  const { entries, openings } = openedHereOf(useSession());
  openings.useValue(() => entries.size);
  return entries;
}

/** Releases an entry that was opened when it is left. `opened` is undefined before. */
export function useClaim(kind: QueueKind, id: string, opened: object | undefined): void {
  const session = useSession();
  const isOpen = opened !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    return () => void release(kind, id);
  }, [kind, id, isOpen]);
  useEffect(() => {
    if (!opened) return;
    const { version, status } = opened as Partial<Read>;
    const { entries, openings } = openedHereOf(session);
    entries.set(id, version !== undefined && status !== undefined ? { id, version, status } : null);
    openings.emit();
    void refreshQueue('queue');
  }, [session, id, opened]);
}
