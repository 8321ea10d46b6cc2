import { Suspense, useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { sessionRefused, socketRefused } from '@/base/events.ts';
import { useMinute } from '@/base/now.ts';
import { keepsNothing } from '@/base/storage.ts';
import { storeUnread, watchUnread } from '@/features/activity/unread.ts';
import { reportRejected } from '@/features/community/rejected.ts';
import { refreshMailProblem } from '@/features/delivery/problem.ts';
import { refreshSearch } from '@/features/discovery/filters.ts';
import MatchEvents from '@/features/matching/MatchEvents.tsx';
import { handleUnmatched } from '@/features/moderation/unmatched.ts';
import { refreshReview } from '@/features/profilereview/review.ts';
import { goLive } from '@/live/liveSession.ts';
import { useSocket, useSocketStatus } from '@/live/sessionSocket.ts';
import { useOnline } from '@/offline/device/online.ts';
import { resumeFromNotification, watchReadMessages } from '@/offline/device/tappedNotifications.ts';
import { isAwaited } from '@/offline/outbox/awaited.ts';
import type { Settled } from '@/offline/outbox/outbox.ts';
import { senderOf } from '@/offline/outbox/sender.ts';
import { type Badges, countBadges } from '@/offline/store/badgeCounts.ts';
import { useDb, useLive } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { OutboxRow } from '@/offline/store/rows.ts';
import { queryClient } from '@/session/query.ts';
import { refreshMe, useMe, useMember } from '@/session/session.ts';
import { lazyWithRetry, OfflineStrip } from '@/ui';
import { followSentFile } from './followSentFile.ts';
import { registerMemberData } from './memberData.ts';
import { setBadges } from './navBadges.ts';
import { QueuedCelebrations } from './QueuedCelebrations.tsx';
import { refreshAfterGaps, watchNewBadges } from './refreshing.ts';
import { startLossWarning } from './startLossWarning.ts';

registerMemberData();

const FirstMessage = lazyWithRetry(() => import('./FirstMessage.tsx'));

const NO_BADGES: Badges = { matches: 0, messages: 0, notifications: 0 };

/**
 * Fetches the own profile before the row of a new picture is removed, so that the picture is there when its upload is not.
 * A recorder that waits for the result does so itself.
 */
async function refreshBeforeRemoval(db: HeartwardDb, { kind, clientId }: OutboxRow): Promise<void> {
  if (kind !== 'profileFile') return;
  if (!isAwaited(db, clientId)) await refreshMe();
}

/** Says what became of files of the profile that were rejected when no page was open. */
async function handleRejectedFiles(db: HeartwardDb): Promise<void> {
  const isRejected = ({ kind, state }: OutboxRow) => kind === 'profileFile' && state === 'failed';
  if ((await db.outbox.filter(isRejected).count()) > 0)
    await (await import('@/features/profile/sentFiles.ts')).handleRejectedFiles(db);
}

/** What follows the final result of a row, by its kind. */
const followUps: {
  readonly [kind in OutboxRow['kind']]?: (db: HeartwardDb, result: Settled, isOwn: boolean) => unknown;
} = {
  comment: (_, result) => reportRejected(result),
  postLike: (_, result) => reportRejected(result),
  unmatch: handleUnmatched,
  profileTexts: async (db, result) =>
    (await import('@/features/profile/profileTexts.ts')).handleSavedTexts(db, result),
  profileFile: followSentFile,
  start: async (_, result) => {
    // Who is shown depends on the answers.
    refreshSearch();
    (await import('@/features/profile/startAnswers.ts')).handleSavedStart(result);
  },
};

async function followUp(db: HeartwardDb, result: Settled, isOwn: boolean): Promise<void> {
  try {
    await followUps[result.row.kind]?.(db, result, isOwn);
  } catch (error) {
    console.warn('What follows a sent row failed', error);
  }
}

/** Fetches what depends on the town in which the member looks. */
function refreshTown(): void {
  void refreshMe();
  refreshSearch();
}

/** Counts what is new in the navigation and on the icon of the app. */
function useCounts(): void {
  const { counts } = useMember();
  const db = useDb();
  const socket = useSocket();
  const isCurrent = useMe().status === 'signedIn';
  const hasNewBadge = counts.newBadges > 0;
  // Counted again each minute, because a muted conversation counts once it is not muted any more.
  const { matches, messages, notifications } = useLive(countBadges, [useMinute()]) ?? NO_BADGES;

  useEffect(
    () => setBadges(db, { matches, messages, notifications, profile: hasNewBadge }),
    [db, matches, messages, notifications, hasNewBadge],
  );
  // The count of the device's copy of the account may be old.
  useEffect(() => {
    if (isCurrent) void storeUnread(db, counts.unread ?? 0).catch(() => undefined);
  }, [db, counts, isCurrent]);
  useEffect(() => watchUnread(db, socket), [db, socket]);
  useEffect(() => watchNewBadges(socket, () => void refreshMe()), [socket]);
  // A push raises the icon's count; reading conversations lowers it here.
  useEffect(() => void navigator.setAppBadge?.(messages).catch(() => undefined), [messages]);
}

/** Everything without a screen of its own that runs for a signed-in member; loaded after the first paint. */
export default function Background() {
  const db = useDb();
  const socket = useSocket();
  const { status } = useMe();
  const online = useOnline();
  const socketStatus = useSocketStatus();
  const navigate = useNavigate();

  useEffect(() => refreshAfterGaps(queryClient, socket), [socket]);
  useEffect(() => goLive(db), [db]);
  useEffect(() => void (keepsNothing() && startLossWarning(db)), [db]);
  useEffect(() => senderOf(db).onSettled((...result) => void followUp(db, ...result)), [db]);
  useEffect(() => senderOf(db).onResponse((row) => refreshBeforeRemoval(db, row)), [db]);
  useEffect(() => void handleRejectedFiles(db).catch(() => undefined), [db]);
  useEffect(() => socket.on('town_changed', refreshTown), [socket]);
  useEffect(() => socket.on('review_decided', refreshReview), [socket]);
  useEffect(() => socket.on('mail_problem_changed', refreshMailProblem), [socket]);
  useCounts();
  useEffect(() => watchReadMessages(db), [db]);
  const go = useEffectEvent((path: string) => void navigate(path));
  useEffect(() => resumeFromNotification(db, (path) => go(path)), [db]);
  useEffect(() => {
    const checkSession = () => void refreshMe();
    const stops = [sessionRefused.subscribe(checkSession), socketRefused.subscribe(checkSession)];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);

  return (
    <>
      <OfflineStrip
        keepsNothing={keepsNothing()}
        offline={!online || status === 'offline' || socketStatus === 'gaveUp'}
      />
      <MatchEvents
        firstMessage={(about) => (
          <Suspense fallback={<span className="block h-12" />}>
            <FirstMessage {...about} />
          </Suspense>
        )}
      />
      <QueuedCelebrations />
    </>
  );
}
