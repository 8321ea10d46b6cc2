import { useEffect, useEffectEvent } from 'react';
import { ApiError } from '@/api/request.ts';
import { graduationToCelebrate, refreshGraduation } from '@/features/graduation/graduation.ts';
import { queueCelebration } from '@/features/matching/celebrationQueue.ts';
import { type SparkEvent, useSparks } from '@/features/messaging/useSparks.ts';
import { useSocket } from '@/live/sessionSocket.ts';
import { useDb, useLive } from '@/offline/store/cached.ts';
import { getMeta } from '@/offline/store/meta.ts';

/** Queues the celebrations of the conversations' sparks and of the member's graduation, on every screen. */
export function QueuedCelebrations() {
  const db = useDb();
  const enqueue = useEffectEvent(({ spark, conversationId, user, at }: SparkEvent) => {
    const celebration = { id: `${spark}:${conversationId}`, type: spark, name: user.firstName, user };
    queueCelebration(db, celebration, { userId: user.id, at: Date.parse(at) });
  });
  useSparks((event) => enqueue(event));
  useGraduation();
  return null;
}

/** Without a connection the next one fetches it again. */
function warnUnlessOffline(failure: unknown): void {
  if (!(failure instanceof ApiError && failure.isNetwork)) console.warn(failure);
}

function useGraduation(): void {
  const socket = useSocket();
  const db = useDb();
  useEffect(() => {
    const refresh = () => void refreshGraduation(db).catch(warnUnlessOffline);
    // The frame about it may have been missed before the others.
    return socket.onAny(['graduation_changed', 'identified', 'sync'], refresh);
  }, [db, socket]);
  const graduation = useLive(async (db) => graduationToCelebrate(await getMeta(db, 'graduation')));
  useEffect(() => {
    if (!graduation) return;
    const { coupleId, partner, at } = graduation;
    const celebration = {
      id: `graduation:${coupleId}`,
      type: 'graduation' as const,
      name: partner.firstName,
      user: partner,
    };
    queueCelebration(db, celebration, { userId: partner.id, at });
  }, [graduation, db]);
}
