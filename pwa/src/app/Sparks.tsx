import { useEffectEvent } from 'react';
import { queueCelebration } from '@/features/matching/celebrationQueue.ts';
import { type SparkEvent, useSparks } from '@/features/messaging/useSparks.ts';

/** Queues the celebration of each spark of a conversation, on every screen. */
export default function Sparks() {
  const enqueue = useEffectEvent(({ spark, conversationId, user, at }: SparkEvent) => {
    const celebration = { id: `${spark}:${conversationId}`, type: spark, name: user.firstName, user };
    queueCelebration(celebration, { userId: user.id, at: Date.parse(at) });
  });
  useSparks((event) => enqueue(event));
  return null;
}
