import { useEffect, useEffectEvent } from 'react';
import type { Spark } from '@/live/frames.ts';
import { socket } from '@/live/start.ts';
import { useLive } from '@/offline/store/cached.ts';
import { getDb } from '@/offline/store/db.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';

/** A spark that nobody saw within a day is not made up for. */
const FRESH_MS = 24 * 3_600_000;

export type Sparked = { spark: Spark; conversationId: string; user: ConversationRow['user']; at: string };

/** The sparks of a conversation, each with when it was. */
export function sparksOf(row: ConversationRow, now = Date.now()): Sparked[] {
  const all = [
    ['message_spark', row.messageSparkAt],
    ['voice_connection', row.voiceConnectionAt],
  ] as const;
  return all.flatMap(([spark, at]) =>
    at && now - Date.parse(at) < FRESH_MS ? [{ spark, at, conversationId: row.id, user: row.user }] : [],
  );
}

/**
 * Tells of what sparked between the member and somebody: as it happens, and what was missed while this device was
 * away. It may tell of the same one again; whoever celebrates it does so once.
 */
export function useSparks(onSpark: (sparked: Sparked) => void): void {
  const tell = useEffectEvent(onSpark);
  const missed = useLive(async (db) => (await db.conversations.toArray()).flatMap((row) => sparksOf(row)));
  useEffect(() => {
    for (const sparked of missed ?? []) tell(sparked);
  }, [missed]);
  useEffect(
    () =>
      socket.on('spark', ({ spark, conversationId, at }) => {
        // A newer server may know others.
        if (spark !== 'message_spark' && spark !== 'voice_connection') return;
        void getDb()
          .conversations.get(conversationId)
          .then((row) => row && tell({ spark, at, conversationId, user: row.user }))
          .catch(console.warn);
      }),
    [],
  );
}
