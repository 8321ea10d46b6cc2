import { useEffect, useEffectEvent, useState } from 'react';
import { getDb } from '@/offline/store/db.ts';
import { useMember } from '@/session/session.ts';
import { CelebrationOverlay } from './CelebrationOverlay.tsx';
import type { Celebration } from './celebration.ts';
import { nextCelebration, trackTyping } from './celebrationQueue.ts';

/** Shows the queued celebrations one after the other. `onDone` runs after each. */
export function Celebrations({ onDone }: { onDone: (celebration: Celebration) => void }) {
  const me = useMember();
  const [celebration, setCelebration] = useState<Celebration | null>(null);
  const show = useEffectEvent((next: Celebration | undefined) => {
    if (!next) return;
    navigator.vibrate?.([20, 60, 30]);
    setCelebration(next);
  });
  useEffect(trackTyping, []);
  useEffect(() => {
    if (celebration) return;
    const stop = new AbortController();
    void nextCelebration(getDb(), stop.signal).then(show).catch(console.warn);
    return () => stop.abort();
  }, [celebration]);

  if (!celebration) return null;
  function done() {
    setCelebration(null);
    if (celebration) onDone(celebration);
  }
  return <CelebrationOverlay key={celebration.id} me={me} celebration={celebration} onDone={done} />;
}
