import { useEffect, useEffectEvent } from 'react';
import type { Spark } from '@/live/frames.ts';
import { socket } from '@/live/start.ts';
import { useLive } from '@/offline/store/cached.ts';
import { getDb } from '@/offline/store/db.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';

/** An older spark is not celebrated any more. */
const MAX_AGE_MS = 24 * 3_600_000;

export type SparkEvent = { spark: Spark; conversationId: string; user: ConversationRow['user']; at: string };

/** Returns the recent sparks of a conversation with their times. */
export function sparksOf(row: ConversationRow, now = Date.now()): SparkEvent[] {
  const all = [
    ['message_spark', row.messageSparkAt],
    ['voice_connection', row.voiceConnectionAt],
  ] as const;
  return all.flatMap(([spark, at]) =>
    at && now - Date.parse(at) < MAX_AGE_MS ? [{ spark, at, conversationId: row.id, user: row.user }] : [],
  );
}

/**
 * Calls `onSpark` for each spark, live or missed while this device was offline. It may be called again for the same
 * spark; the celebration queue shows each once.
 */
export function useSparks(onSpark: (spark: SparkEvent) => void): void {
  const notify = useEffectEvent(onSpark);
  const missed = useLive(async (db) => (await db.conversations.toArray()).flatMap((row) => sparksOf(row)));
  useEffect(() => {
    for (const spark of missed ?? []) notify(spark);
  }, [missed]);
  useEffect(
    () =>
      socket.on('spark', ({ spark, conversationId, at }) => {
        // A newer server may send other kinds.
        if (spark !== 'message_spark' && spark !== 'voice_connection') return;
        void getDb()
          .conversations.get(conversationId)
          .then((row) => row && notify({ spark, at, conversationId, user: row.user }))
          .catch(console.warn);
      }),
    [],
  );
}
