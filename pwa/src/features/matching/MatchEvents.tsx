import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate, useNavigation, useSearchParams } from 'react-router';
import type { LikeNote, LikeResult, UserCard } from '@/api/types.ts';
import { useSocket } from '@/live/sessionSocket.ts';
import type { Settled } from '@/offline/outbox/outbox.ts';
import { senderOf } from '@/offline/outbox/sender.ts';
import { useDb, useRefresh } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { whenIdle } from '@/offline/store/idle.ts';
import { withTimeout } from '@/offline/store/withTimeout.ts';
import { paths } from '@/session/paths.ts';
import { Button, toast } from '@/ui';
import type { FirstMessageField } from './CelebrationOverlay.tsx';
import { Celebrations } from './Celebrations.tsx';
import { CELEBRATE_PARAM, type Celebration } from './celebration.ts';
import { queueCelebration, queueEvent } from './celebrationQueue.ts';
import { describeTarget } from './LikedItem.tsx';
import { likesKey, refreshLikes, removeLikeOf } from './likes.ts';
import { matchesKey, refreshMatches, tryMarkMatchesSeen } from './matches.ts';
import { useQueuedLikesNotice } from './queuedLikes.ts';
import { useRejectedDecisions } from './rejectedDecisions.ts';
import { useUndeliveredNotice } from './undelivered.ts';

/** How long a celebration waits for the comment of the like. */
const COMMENT_WAIT_MS = 800;
/** How long a celebration waits for the server's response that tells whether another device has shown it. */
const SEEN_WAIT_MS = 2500;

/**
 * Reacts to likes, passes and matches on every screen: shows toasts and celebrations, and refreshes the lists of
 * matches and likes.
 */
export default function MatchEvents({ firstMessage }: { firstMessage?: FirstMessageField }) {
  const db = useDb();
  const navigate = useNavigate();
  useListRefresh();
  useQueuedLikesNotice();
  useRejectedDecisions();
  useUndeliveredNotice();
  useLiveCelebrations();
  useNotifiedCelebration();

  function done(celebration: Celebration, messageSent: boolean) {
    if (celebration.matchId) void tryMarkMatchesSeen(db, [celebration.matchId]);
    showToastAfter(celebration, messageSent, (to) => void navigate(to, { viewTransition: true }));
  }
  return <Celebrations firstMessage={firstMessage} onDone={done} />;
}

/** Refreshes the matches and the likes, first when the browser is idle, because the screen's own data come first. */
function useListRefresh(): void {
  const [enabled, setEnabled] = useState(false);
  useEffect(() => void whenIdle().then(() => setEnabled(true)), []);
  useRefresh(matchesKey, refreshMatches, { enabled });
  useRefresh(likesKey, refreshLikes, { enabled });
}

/** Shows a toast with a link to the other member after a celebration. */
function showToastAfter(
  { type, name, matchId }: Celebration,
  messageSent: boolean,
  go: (to: string) => void,
): void {
  const link = (label: string, to: string) => (
    <Button onClick={() => go(to)} size="sm" variant="secondary">
      {label}
    </Button>
  );
  if (matchId && messageSent) {
    toast({ title: `Sent to ${name}`, action: link('Open the chat', paths.conversation(matchId)) });
  } else if (matchId) {
    toast({
      title: "It's a Match! 🎉",
      description: `You and ${name} like each other.`,
      action: link('Say hello', paths.conversation(matchId)),
    });
  } else if (type === 'super_like') {
    toast({ title: `${name} super liked you`, action: link('See who likes you', paths.likes) });
  }
}

/** Queues the match that the response to a like or the socket announces. */
function queueMatch(db: HeartwardDb, matchId: string, userId: string, user?: UserCard): void {
  const wasHidden = document.visibilityState !== 'visible';
  queueEvent(db, {
    id: matchId,
    announcement: { userId, at: Date.now() },
    load: async () => {
      const timeoutMs = wasHidden ? SEEN_WAIT_MS : COMMENT_WAIT_MS;
      const { seen, celebration } = await loadMatchCelebration(db, matchId, timeoutMs, { userId, user });
      // It may have been shown on another device while this tab was hidden.
      return wasHidden && seen ? undefined : celebration;
    },
  });
}

/** Queues the super like that the socket announces. */
function queueSuperLike(db: HeartwardDb, likeId: string, user: UserCard): void {
  queueEvent(db, {
    id: likeId,
    announcement: { userId: user.id, at: Date.now() },
    load: async () => {
      await withTimeout(refreshLikes(db), COMMENT_WAIT_MS);
      return superLikeCelebration(likeId, user, await db.likes.get(likeId));
    },
  });
}

/** Whether this is the address of the deck, where the thrown card already shows that a like was given. */
const isDeck = (pathname: string, search: string) =>
  pathname === paths.home || (pathname === paths.discover && search.includes('mode=for-you'));

/** Queues the celebrations that the response to a like or the socket announces. */
function useLiveCelebrations(): void {
  const db = useDb();
  const socket = useSocket();
  const client = useQueryClient();
  const { pathname, search } = useLocation();
  const invalidate = useEffectEvent((key: readonly string[]) => {
    void client.invalidateQueries({ queryKey: ['refresh', ...key] });
  });

  const handleSettled = useEffectEvent(async (result: Settled) => {
    const { body } = result.row;
    if (!result.ok) return;
    if (body.kind === 'pass') await removeLikeOf(db, body.targetUserId);
    // A like of that member is in the list again.
    if (body.kind === 'unpass') invalidate(likesKey);
    if (body.kind !== 'like') return;
    await removeLikeOf(db, body.toUserId);
    const response = result.response as LikeResult;
    if (response.isMatch && response.matchId) queueMatch(db, response.matchId, response.targetUserId);
    else if (!isDeck(pathname, search)) {
      const title = body.likeType === 'super_like' ? 'Super Like sent!' : 'Like sent!';
      toast({ title, description: 'Your interest has been shared.' });
    }
  });

  useEffect(() => {
    const stops = [
      senderOf(db).onSettled((result) => void handleSettled(result).catch(console.warn)),
      socket.on('match', ({ matchId, user }) => queueMatch(db, matchId, user.id, user)),
      socket.on('like_received', () => invalidate(likesKey)),
      socket.on('super_like', ({ likeId, user }) => queueSuperLike(db, likeId, user)),
      socket.onStatus(() => {
        // Events may have been missed while the socket was closed.
        if (socket.status !== 'open') return;
        invalidate(matchesKey);
        invalidate(likesKey);
      }),
      // The server sends no events before it has identified the socket.
      socket.on('identified', () => invalidate(likesKey)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [db, socket]);
}

/**
 * Queues the celebration that the address of a tapped notification names: the match of /matches?celebrate=…, unless
 * another device has shown it, or the super like of /matches/likes?celebrate=…, unless it was answered.
 */
function useNotifiedCelebration(): void {
  const db = useDb();
  const { pathname } = useLocation();
  const [search, setSearch] = useSearchParams();
  const load = celebrationLoaders[pathname];
  const id = load ? search.get(CELEBRATE_PARAM) : null;
  const [handled, setHandled] = useState<string | null>(null);
  const isIdle = useNavigation().state === 'idle';
  const loadAndQueue = useEffectEvent(async (id: string) => {
    const celebration = await load?.(db, id);
    if (celebration) queueCelebration(db, celebration);
    setHandled(id);
  });
  const removeQuery = useEffectEvent(() => {
    search.delete(CELEBRATE_PARAM);
    setSearch(search, { replace: true, preventScrollReset: true });
  });
  useEffect(() => {
    if (id) void loadAndQueue(id).catch(console.warn);
  }, [id]);
  // The query stays until the celebration is queued: while it names a match, the list does not mark that match as seen.
  // It is removed only on the same screen, while no navigation is in progress.
  const done = isIdle && id !== null && id === handled;
  useEffect(() => {
    if (done) removeQuery();
  }, [done]);
}

/** Functions by path that load the celebration a notification names; undefined when there is none to show. */
const celebrationLoaders: Partial<
  Record<string, (db: HeartwardDb, id: string) => Promise<Celebration | undefined>>
> = {
  async [paths.matches](db, id) {
    const { seen, celebration } = await loadMatchCelebration(db, id, SEEN_WAIT_MS);
    return seen ? undefined : celebration;
  },
  async [paths.likes](db, id) {
    await withTimeout(refreshLikes(db), SEEN_WAIT_MS);
    const like = await db.likes.get(id);
    return like?.likeType === 'super_like' ? superLikeCelebration(id, like.user, like) : undefined;
  },
};

function superLikeCelebration(id: string, user: UserCard, like: LikeNote | undefined): Celebration {
  return { id, type: 'super_like', name: user.firstName, user, note: commentOf(like) };
}

/**
 * Refreshes the matches for at most `timeoutMs` and returns the celebration of one of them, and whether it was
 * seen. An unknown match counts as seen, unless it was just announced.
 */
async function loadMatchCelebration(
  db: HeartwardDb,
  matchId: string,
  timeoutMs: number,
  announced?: { userId: string; user?: UserCard },
): Promise<{ seen: boolean; celebration: Celebration }> {
  await withTimeout(refreshMatches(db, AbortSignal.timeout(SEEN_WAIT_MS)), timeoutMs);
  const row = await db.matches.get(matchId);
  // Liking a member stores their profile.
  const profile = announced && (await db.profiles.get(announced.userId));
  const user = row?.user ?? announced?.user ?? profile?.member;
  const name = user?.firstName || 'your match';
  return {
    seen: row ? row.seen : announced === undefined,
    celebration: {
      id: matchId,
      type: 'mutual_like',
      name,
      user,
      matchId,
      messageTarget: row && { conversationId: row.conversationId, userId: row.user.id },
      note: commentOf(row?.theirLike),
    },
  };
}

function commentOf(like: LikeNote | null | undefined): Celebration['note'] {
  if (!like?.comment) return undefined;
  return { comment: like.comment, about: describeTarget(like.photoUrl, like.prompt) };
}
