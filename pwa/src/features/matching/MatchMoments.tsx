import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { api, unwrap } from '@/api/client.ts';
import type { LikeNote, LikeResult, UserCard } from '@/api/types.ts';
import { paths } from '@/app/paths.ts';
import { useMember } from '@/app/session.ts';
import { socket } from '@/live/start.ts';
import { getDb } from '@/offline/db.ts';
import { inTime } from '@/offline/inTime.ts';
import { onSettled, type Settled } from '@/offline/outbox.ts';
import { Button, toast } from '@/ui';
import { Celebration } from './Celebration.tsx';
import { useHeldLikes } from './heldLikes.ts';
import { aboutOf } from './LikedThing.tsx';
import { dropLikeOf, likesKey, refreshLikes, useLikes } from './likes.ts';
import { matchesKey, noteSeen, refreshMatches, useMatches } from './matches.ts';
import { CELEBRATE, claim, type Moment, type Told, whenVisible } from './moments.ts';
import { useRefusals } from './refusals.ts';
import { useUndelivered } from './undelivered.ts';

/** The live event brings the other's name and face; the answer alone waits this long for it. */
const EVENT_FIRST_MS = 500;
/** How long a moment waits for the words that came with the like. */
const WORDS_MS = 800;
/** How long a notification's moment waits for the server to say whether another device had it already. */
const SEEN_MS = 2500;

/**
 * What comes of likes and passes, on whatever screen the member is by then: the toasts, the celebration of a
 * match (once, whoever tells of it first), and the lists of matches and likes kept fresh.
 */
export default function MatchMoments() {
  const me = useMember();
  const navigate = useNavigate();
  const [queue, setQueue] = useState<Moment[]>([]);
  const moment = queue[0];
  useMatches();
  useLikes();
  useHeldLikes();
  useRefusals();
  useUndelivered();
  const add = useEffectEvent((next: Moment) => {
    navigator.vibrate?.([20, 60, 30]);
    setQueue((before) => [...before, next]);
  });
  useLiveMoments((next) => add(next));
  useNotified((next) => add(next));

  function done() {
    setQueue(([, ...later]) => later);
    if (!moment) return;
    if (moment.matchId) void noteSeen([moment.matchId]);
    after(moment, (to) => void navigate(to, { viewTransition: true }));
  }

  if (!moment) return null;
  return <Celebration key={moment.id} me={me} moment={moment} onDone={done} />;
}

/** What stays for a moment when the overlay has gone: the way to the other member. */
function after({ type, name, matchId }: Moment, go: (to: string) => void): void {
  const link = (label: string, to: string) => (
    <Button onClick={() => go(to)} size="sm" variant="secondary">
      {label}
    </Button>
  );
  if (matchId) {
    toast({
      title: "It's a Match! 🎉",
      description: `You and ${name} like each other.`,
      action: link('Say hello', paths.conversation(matchId)),
    });
  } else if (type === 'super_like') {
    toast({ title: `${name} super liked you`, action: link('See who likes you', paths.likes) });
  }
}

/** Moments told by the answer to a like or by the socket while the app is open. */
function useLiveMoments(add: (moment: Moment) => void): void {
  const client = useQueryClient();
  const freshen = useEffectEvent((key: readonly string[]) => {
    void client.invalidateQueries({ queryKey: ['refresh', ...key] });
  });

  const matched = useEffectEvent(async (matchId: string, told: Told, name: string, user?: Moment['user']) => {
    const waited = document.visibilityState !== 'visible';
    await whenVisible();
    const found = await matchMoment(matchId, waited ? SEEN_MS : WORDS_MS, { name, user });
    // Whoever was away may have had it on another device meanwhile.
    if (waited && found.seen) return;
    if (await claim(getDb(), matchId, told)) add(found.moment);
  });

  const settled = useEffectEvent(async (result: Settled) => {
    const { body } = result.row;
    if (!result.ok) return;
    if (body.kind === 'pass') await dropLikeOf(getDb(), body.targetUserId);
    // Whoever likes the member waits for an answer again.
    if (body.kind === 'unpass') freshen(likesKey);
    if (body.kind !== 'like') return;
    await dropLikeOf(getDb(), body.toUserId);
    const answer = result.answer as LikeResult;
    if (answer.isMatch && answer.matchId) {
      const told = { userId: answer.targetUserId, at: Date.now() };
      const user = await memberOf(answer.targetUserId, answer.matchId);
      await matched(answer.matchId, told, user?.firstName || 'your match', user ?? undefined);
    } else toast({ title: 'Like sent!', description: 'Your interest has been shared.' });
  });

  const superLiked = useEffectEvent(async (likeId: string, user: UserCard) => {
    const told = { userId: user.id, at: Date.now() };
    await whenVisible();
    const db = getDb();
    await inTime(refreshLikes(db), WORDS_MS);
    if (!(await claim(db, likeId, told))) return;
    const like = await db.likes.get(likeId);
    add({ id: likeId, type: 'super_like', name: user.firstName, user, note: noteOf(like) });
  });

  useEffect(() => {
    const stops = [
      onSettled((result) => void settled(result).catch(console.warn)),
      socket.on('match', ({ matchId, user }) => {
        void matched(matchId, { userId: user.id, at: Date.now() }, user.firstName, user).catch(console.warn);
      }),
      socket.on('like_received', () => freshen(likesKey)),
      socket.on('super_like', ({ likeId, user }) => void superLiked(likeId, user).catch(console.warn)),
      socket.onStatus(() => {
        // Something may have happened while nobody could tell us.
        if (socket.status !== 'open') return;
        freshen(matchesKey);
        freshen(likesKey);
      }),
      // And until its first word the server tells nothing either.
      socket.on('identified', () => freshen(likesKey)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
}

/** /matches?celebrate=… after a tapped notification: once, unless it was seen here or on another device. */
function useNotified(add: (moment: Moment) => void): void {
  const { pathname } = useLocation();
  const [search, setSearch] = useSearchParams();
  const matchId = pathname === paths.matches ? search.get(CELEBRATE) : null;
  const celebrate = useEffectEvent(async (id: string) => {
    const found = await matchMoment(id, SEEN_MS);
    if (!found.seen && (await claim(getDb(), id))) add(found.moment);
    // Only now: until here the list leaves it to us to say that it was seen.
    setSearch({}, { replace: true });
  });
  useEffect(() => {
    if (matchId) void celebrate(matchId).catch(console.warn);
  }, [matchId]);
}

/**
 * The match as it stands once the server was asked, for so long at most. A match that is not known (any more)
 * counts as seen, unless somebody just told of it.
 */
async function matchMoment(
  matchId: string,
  milliseconds: number,
  told?: Pick<Moment, 'name' | 'user'>,
): Promise<{ seen: boolean; moment: Moment }> {
  const db = getDb();
  await inTime(refreshMatches(db, AbortSignal.timeout(SEEN_MS)), milliseconds);
  const row = await db.matches.get(matchId);
  const user = row?.user ?? told?.user;
  const name = user?.firstName || told?.name || 'your match';
  return {
    seen: row ? row.seen : told === undefined,
    moment: { id: matchId, type: 'mutual_like', name, user, matchId, note: noteOf(row?.theirLike) },
  };
}

function noteOf(like: LikeNote | null | undefined): Moment['note'] {
  if (!like?.comment) return undefined;
  return { comment: like.comment, about: aboutOf(like.photoUrl, like.prompt) };
}

/** The answer to a like names nobody: who it is comes with the live event, from the device or from the server. */
async function memberOf(userId: string, matchId: string) {
  await new Promise((resolve) => setTimeout(resolve, EVENT_FIRST_MS));
  const db = getDb();
  return (
    (await db.matches.get(matchId))?.user ??
    (await db.profiles.get(userId))?.member ??
    (await unwrap(api.GET('/api/users/{id}', { params: { path: { id: userId } } })).catch(() => null))
  );
}
