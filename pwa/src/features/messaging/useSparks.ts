import { useEffect, useEffectEvent } from 'react';
import type { Spark } from '@/live/frames.ts';
import { useLive } from '@/offline/store/cached.ts';
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
 * Calls `onSpark` for each recent spark, also one missed while this device was offline. It is called again when a
 * conversation changes; the celebration queue shows each spark once.
 */
export function useSparks(onSpark: (spark: SparkEvent) => void): void {
  const notify = useEffectEvent(onSpark);
  const sparks = useLive(async (db) => (await db.conversations.toArray()).flatMap((row) => sparksOf(row)));
  useEffect(() => {
    for (const spark of sparks ?? []) notify(spark);
  }, [sparks]);
}
