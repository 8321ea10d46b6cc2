import { Suspense, useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { refreshSearch } from '@/features/discovery/filters.ts';
import MatchEvents from '@/features/matching/MatchEvents.tsx';
import { socket, startSession, useSocketStatus } from '@/live/start.ts';
import {
  closeReadNotifications,
  loadReadPositions,
  resumeFromNotification,
} from '@/offline/device/notifications.ts';
import { useOnline } from '@/offline/device/online.ts';
import { countBadges } from '@/offline/store/badges.ts';
import { useLive } from '@/offline/store/cached.ts';
import { openDb } from '@/offline/store/db.ts';
import { queryClient } from '@/session/query.ts';
import { refreshMe, useMe, useMember } from '@/session/session.ts';
import { lazyWithRetry, OfflineStrip } from '@/ui';
import { setBadges } from './badges.ts';
import { registerMemberData } from './memberData.ts';
import { refreshAfterGaps } from './refreshing.ts';

registerMemberData();

const FirstMessage = lazyWithRetry(() => import('./FirstMessage.tsx'));
const Sparks = lazyWithRetry(() => import('./Sparks.tsx'));

/** Continues uploads of the profile that an earlier page has left on the device. */
async function resumeUploads(memberId: string): Promise<void> {
  if ((await openDb(memberId).profileFiles.count()) === 0) return;
  await (await import('@/features/members/storedUploads.ts')).resumeUploads();
}

/** Fetches what depends on the town in which the member looks. */
function refreshTown(): void {
  void refreshMe();
  refreshSearch();
}

/** Everything without a screen of its own that runs for a signed-in member; loaded after the first paint. */
export default function Background() {
  const { id } = useMember();
  const { status } = useMe();
  const online = useOnline();
  const socketStatus = useSocketStatus();
  const { matches, messages } = useLive(countBadges) ?? { matches: 0, messages: 0 };
  const positions = useLive(loadReadPositions);
  const navigate = useNavigate();

  useEffect(() => refreshAfterGaps(queryClient, socket), []);
  useEffect(() => startSession(id), [id]);
  useEffect(() => socket.on('town_changed', refreshTown), []);
  useEffect(() => void resumeUploads(id).catch(() => undefined), [id]);
  useEffect(() => setBadges({ matches, messages }), [matches, messages]);
  // A push raises the icon's count; reading conversations lowers it here.
  useEffect(() => void navigator.setAppBadge?.(messages).catch(() => undefined), [messages]);
  useEffect(() => {
    if (positions) void closeReadNotifications(positions).catch(() => undefined);
  }, [positions]);
  const go = useEffectEvent((path: string) => void navigate(path));
  useEffect(() => resumeFromNotification(openDb(id), (path) => go(path)), [id]);
  useEffect(() => {
    const checkSession = () => void refreshMe();
    addEventListener('hw:unauthorized', checkSession);
    return () => removeEventListener('hw:unauthorized', checkSession);
  }, []);

  return (
    <>
      <OfflineStrip offline={!online || status === 'offline' || socketStatus === 'gaveUp'} />
      <MatchEvents
        firstMessage={(about) => (
          <Suspense fallback={<span className="block h-12" />}>
            <FirstMessage {...about} />
          </Suspense>
        )}
      />
      <Suspense fallback={null}>
        <Sparks />
      </Suspense>
    </>
  );
}
