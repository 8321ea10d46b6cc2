import { useEffectEvent, useState } from 'react';
import { Celebration } from '@/features/matching/Celebration.tsx';
import { claim, type Moment, whenVisible } from '@/features/matching/moments.ts';
import { type Sparked, useSparks } from '@/features/messaging/useSparks.ts';
import { getDb } from '@/offline/db.ts';
import { useMember } from './session.ts';

/** Celebrates what sparks between two who write: once on this device, on whatever screen the member is. */
export default function Sparks() {
  const me = useMember();
  const [queue, setQueue] = useState<Moment[]>([]);
  const celebrate = useEffectEvent(async ({ spark, conversationId, user, at }: Sparked) => {
    await whenVisible();
    const told = { userId: user.id, at: Date.parse(at) };
    if (!(await claim(getDb(), `${spark}:${conversationId}`, told))) return;
    navigator.vibrate?.([20, 60, 30]);
    setQueue((before) => [
      ...before,
      { id: `${spark}:${conversationId}`, type: spark, name: user.firstName, user },
    ]);
  });
  useSparks((sparked) => void celebrate(sparked).catch(console.warn));
  const moment = queue[0];
  if (!moment) return null;
  return (
    <Celebration key={moment.id} me={me} moment={moment} onDone={() => setQueue(([, ...later]) => later)} />
  );
}
