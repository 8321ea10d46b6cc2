import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate, useNavigation, useSearchParams } from 'react-router';
import { api, unwrap } from '@/api/client.ts';
import type { LikeNote, LikeResult, UserCard } from '@/api/types.ts';
import { socket } from '@/live/start.ts';
import { onSettled, type Settled } from '@/offline/outbox/outbox.ts';
import { getDb } from '@/offline/store/db.ts';
import { withTimeout } from '@/offline/store/withTimeout.ts';
import { paths } from '@/session/paths.ts';
import { Button, toast } from '@/ui';
import { Celebrations } from './Celebrations.tsx';
import { celebrate } from './celebrations.ts';
import { useHeldLikes } from './heldLikes.ts';
import { aboutOf } from './LikedThing.tsx';
import { dropLikeOf, likesKey, refreshLikes, useLikes } from './likes.ts';
import { matchesKey, noteSeen, refreshMatches, useMatches } from './matches.ts';
import { type Announced, CELEBRATE, type Moment, whenVisible } from './moments.ts';
import { useRefusals } from './refusals.ts';
import { useUndelivered } from './undelivered.ts';

/** The live event brings the other's name and face; the answer alone waits this long for it. */
const EVENT_FIRST_MS = 500;
/** How long a moment waits for the words that came with the like. */
const WORDS_MS = 800;
/** How long a notification's moment waits for the server to say whether another device had it already. */
const SEEN_MS = 2500;

/**
 * What follows from likes and passes, on whatever screen the member is: toasts, the celebration of a match, and fresh
 * lists of matches and likes.
 */
export default function MatchMoments() {
  const navigate = useNavigate();
  useMatches();
  useLikes();
  useHeldLikes();
  useRefusals();
  useUndelivered();
  useLiveMoments();
  useNotified();

  function done(moment: Moment) {
    if (moment.matchId) void noteSeen([moment.matchId]);
    after(moment, (to) => void navigate(to, { viewTransition: true }));
  }
  return <Celebrations onDone={done} />;
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

/** Queues the moments that the response to a like or the socket announces while the app is open. */
function useLiveMoments(): void {
  const client = useQueryClient();
  const freshen = useEffectEvent((key: readonly string[]) => {
    void client.invalidateQueries({ queryKey: ['refresh', ...key] });
  });

  const matched = useEffectEvent(
    async (matchId: string, announced: Announced, name: string, user?: Moment['user']) => {
      const waited = document.visibilityState !== 'visible';
      await whenVisible();
      const found = await matchMoment(matchId, waited ? SEEN_MS : WORDS_MS, { name, user });
      // A member who was away may have seen it on another device.
      if (waited && found.seen) return;
      celebrate(found.moment, announced);
    },
  );

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
      const announced = { userId: answer.targetUserId, at: Date.now() };
      const user = await memberOf(answer.targetUserId, answer.matchId);
      await matched(answer.matchId, announced, user?.firstName || 'your match', user ?? undefined);
    } else toast({ title: 'Like sent!', description: 'Your interest has been shared.' });
  });

  const superLiked = useEffectEvent(async (likeId: string, user: UserCard) => {
    const announced = { userId: user.id, at: Date.now() };
    await whenVisible();
    const db = getDb();
    await withTimeout(refreshLikes(db), WORDS_MS);
    const like = await db.likes.get(likeId);
    celebrate(superLikeMoment(likeId, user, like), announced);
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

/**
 * Queues what the address names after a tapped notification: the match of /matches?celebrate=…, unless it was seen
 * on another device, or the super like of /matches/likes?celebrate=…, unless it was answered.
 */
function useNotified(): void {
  const { pathname } = useLocation();
  const [search, setSearch] = useSearchParams();
  const find = notified[pathname];
  const id = find ? search.get(CELEBRATE) : null;
  const [handled, setHandled] = useState<string | null>(null);
  const settled = useNavigation().state === 'idle';
  const lookUp = useEffectEvent(async (id: string) => {
    const moment = await find?.(id);
    if (moment) celebrate(moment);
    setHandled(id);
  });
  const removeQuery = useEffectEvent(() => {
    search.delete(CELEBRATE);
    setSearch(search, { replace: true, preventScrollReset: true });
  });
  useEffect(() => {
    if (id) void lookUp(id).catch(console.warn);
  }, [id]);
  // Not earlier: while the query names a match, the list leaves marking it as seen to the celebration. And only while
  // the member is still there and goes nowhere else.
  const done = settled && id !== null && id === handled;
  useEffect(() => {
    if (done) removeQuery();
  }, [done]);
}

/** Loads the celebration that a notification names, by path; undefined when there is nothing to celebrate. */
const notified: Partial<Record<string, (id: string) => Promise<Moment | undefined>>> = {
  async [paths.matches](id) {
    const { seen, moment } = await matchMoment(id, SEEN_MS);
    return seen ? undefined : moment;
  },
  async [paths.likes](id) {
    const db = getDb();
    await withTimeout(refreshLikes(db), SEEN_MS);
    const like = await db.likes.get(id);
    return like?.likeType === 'super_like' ? superLikeMoment(id, like.user, like) : undefined;
  },
};

function superLikeMoment(id: string, user: UserCard, like: LikeNote | undefined): Moment {
  return { id, type: 'super_like', name: user.firstName, user, note: noteOf(like) };
}

/**
 * The match as it stands once the server was asked, for so long at most. A match that is not known (any more)
 * counts as seen, unless somebody just told of it.
 */
async function matchMoment(
  matchId: string,
  milliseconds: number,
  announced?: Pick<Moment, 'name' | 'user'>,
): Promise<{ seen: boolean; moment: Moment }> {
  const db = getDb();
  await withTimeout(refreshMatches(db, AbortSignal.timeout(SEEN_MS)), milliseconds);
  const row = await db.matches.get(matchId);
  const user = row?.user ?? announced?.user;
  const name = user?.firstName || announced?.name || 'your match';
  return {
    seen: row ? row.seen : announced === undefined,
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
