import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { api, unwrap } from '@/api/client.ts';
import type { LikeResult } from '@/api/types.ts';
import { paths } from '@/app/paths.ts';
import { useMember } from '@/app/session.ts';
import { socket } from '@/live/start.ts';
import { getDb } from '@/offline/db.ts';
import { onSettled, type Settled } from '@/offline/outbox.ts';
import { Button, toast } from '@/ui';
import { Celebration } from './Celebration.tsx';
import { useHeldLikes } from './heldLikes.ts';
import { matchesKey, useMatches } from './matches.ts';
import { claim, type Moment, whenVisible } from './moments.ts';
import { useRefusals } from './refusals.ts';

/** The live event brings the other's name, face and kind of like; the answer alone waits this long for it. */
const EVENT_FIRST_MS = 500;

/**
 * What comes of likes and passes, on whatever screen the member is by then: the toasts, the celebration of a
 * match (once, whether the answer to a like or the live event tells of it), and the list of matches kept fresh.
 */
export default function MatchMoments() {
  const me = useMember();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [queue, setQueue] = useState<Moment[]>([]);
  const moment = queue[0];
  useMatches();
  useHeldLikes();
  useRefusals();

  const celebrate = useEffectEvent(async (next: Moment & { matchId: string }) => {
    void client.invalidateQueries({ queryKey: ['refresh', ...matchesKey] });
    await whenVisible();
    if (!(await claim(getDb(), next.matchId))) return;
    navigator.vibrate?.([20, 60, 30]);
    setQueue((before) => [...before, next]);
  });

  const settled = useEffectEvent((result: Settled) => {
    if (!result.ok || result.row.kind !== 'like') return;
    const answer = result.answer as LikeResult;
    if (answer.isMatch && answer.matchId) void celebrateAnswer(answer, celebrate);
    else toast({ title: 'Like sent!', description: 'Your interest has been shared.' });
  });

  useEffect(() => {
    const stops = [
      onSettled((result) => settled(result)),
      socket.on('match', ({ matchId, user, likeType }) => {
        const type = likeType === 'super_like' ? 'super_like' : 'mutual_like';
        void celebrate({ type, name: user.firstName, user, matchId });
      }),
      socket.onStatus(() => {
        // A match may have been made while nobody could tell us.
        if (socket.status === 'open') void client.invalidateQueries({ queryKey: ['refresh', ...matchesKey] });
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client]);

  function done() {
    setQueue(([, ...later]) => later);
    if (!moment?.matchId) return;
    const to = paths.conversation(moment.matchId);
    toast({
      title: "It's a Match! 🎉",
      description: `You and ${moment.name} like each other.`,
      action: (
        <Button onClick={() => navigate(to, { viewTransition: true })} size="sm" variant="secondary">
          Say hello
        </Button>
      ),
    });
  }

  if (!moment) return null;
  return <Celebration key={moment.matchId} me={me} moment={moment} onDone={done} />;
}

async function celebrateAnswer(
  { matchId, targetUserId }: LikeResult,
  celebrate: (moment: Moment & { matchId: string }) => Promise<void>,
): Promise<void> {
  if (!matchId) return;
  await new Promise((resolve) => setTimeout(resolve, EVENT_FIRST_MS));
  const db = getDb();
  const user =
    (await db.matches.get(matchId))?.user ??
    (await db.profiles.get(targetUserId))?.member ??
    (await unwrap(api.GET('/api/users/{id}', { params: { path: { id: targetUserId } } })).catch(() => null));
  await celebrate({
    type: 'mutual_like',
    name: user?.firstName || 'your match',
    user: user ?? undefined,
    matchId,
  });
}
