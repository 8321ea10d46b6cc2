import { useEffect, useEffectEvent, useState } from 'react';
import { useDb, useLive } from '@/offline/store/cached.ts';
import { useMember } from '@/session/session.ts';
import { CelebrationOverlay, type FirstMessageField } from './CelebrationOverlay.tsx';
import type { Celebration, MessageTarget } from './celebration.ts';
import { nextCelebration, trackTyping } from './celebrationQueue.ts';

type CelebrationsProps = {
  firstMessage?: FirstMessageField;
  /** Called after each, with whether the member sent a first message from it. */
  onDone: (celebration: Celebration, messageSent: boolean) => void;
};

/** Shows the queued celebrations one after the other. */
export function Celebrations({ firstMessage, onDone }: CelebrationsProps) {
  const db = useDb();
  const me = useMember();
  const [celebration, setCelebration] = useState<Celebration | null>(null);
  const show = useEffectEvent((next: Celebration | undefined) => {
    if (!next) return;
    navigator.vibrate?.([20, 60, 30]);
    setCelebration(next);
  });
  const messageTarget = useMessageTarget(celebration);
  const endedId = useEndedId(celebration);
  useEffect(() => {
    if (endedId && endedId === celebration?.id) setCelebration(null);
  }, [endedId, celebration]);
  useEffect(() => trackTyping(db), [db]);
  useEffect(() => {
    if (celebration) return;
    const stop = new AbortController();
    void nextCelebration(db, stop.signal).then(show).catch(console.warn);
    return () => stop.abort();
  }, [celebration, db]);

  if (!celebration) return null;
  function done(messageSent = false) {
    setCelebration(null);
    celebration?.onClose?.();
    if (celebration) onDone(celebration, messageSent);
  }
  return (
    <CelebrationOverlay
      celebration={{ ...celebration, messageTarget }}
      firstMessage={firstMessage}
      key={celebration.id}
      me={me}
      onDone={() => done()}
      onMessageSent={() => done(true)}
    />
  );
}

/** Returns the id of a celebration that another device has ended. */
function useEndedId(celebration: Celebration | null): string | undefined {
  return useLive(
    async () => ((await celebration?.isCurrent?.()) === false ? celebration?.id : undefined),
    [celebration?.id],
  );
}

/** Returns the target of the first message to a match, once the match is on the device: it may arrive after the overlay. */
function useMessageTarget(celebration: Celebration | null): MessageTarget | undefined {
  const { matchId, messageTarget } = celebration ?? {};
  const match = useLive(async (db) => (matchId ? await db.matches.get(matchId) : undefined), [matchId]);
  return messageTarget ?? (match && { conversationId: match.conversationId, userId: match.user.id });
}
