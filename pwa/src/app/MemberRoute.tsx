import { Suspense, useState } from 'react';
import { useParams } from 'react-router';
import type { LikeType, PublicMember } from '@/api/types.ts';
import { useAllowance } from '@/domain/allowance.ts';
import type { LikeNote } from '@/domain/decide.ts';
import { like } from '@/features/discovery/likeAndPass.ts';
import { refusePaused } from '@/features/discovery/paused.ts';
import { useMatchWith } from '@/features/matching/matches.ts';
import type { LikeTarget } from '@/features/profile/MemberParts.tsx';
import MemberScreen from '@/features/profile/MemberScreen.tsx';
import { MemberMenu } from '@/member-menu/MemberMenu.tsx';
import { useDb } from '@/offline/store/cached.ts';
import { lazyWithRetry } from '@/ui';
import { MemberActions } from './MemberActions.tsx';

const LikeSheet = lazyWithRetry(() =>
  import('@/features/discovery/LikeSheet.tsx').then(({ LikeSheet }) => ({ default: LikeSheet })),
);

const ShownBadges = lazyWithRetry(() => import('@/features/badges/ShownBadges.tsx'));

const PrivateNote = lazyWithRetry(() => import('@/features/notes/PrivateNote.tsx'));

type Liking = { member: PublicMember; target: LikeTarget };

/** Another member's page with its actions. */
export default function MemberRoute() {
  const { id = '' } = useParams();
  return <MemberPage id={id} key={id} />;
}

function MemberPage({ id }: { id: string }) {
  const db = useDb();
  const [liking, setLiking] = useState<Liking | null>(null);
  const [liked, setLiked] = useState<LikeType>();
  const match = useMatchWith(id);
  // The photos and answers of a matched or liked member cannot be liked.
  const canLikeTargets = match === null && liked === undefined;
  const allowance = useAllowance();

  // A paused member reads so before writing a comment.
  const openLike = (target: LikeTarget, member: PublicMember) =>
    refusePaused() || setLiking({ member, target });

  async function send(member: PublicMember, likeType: LikeType, note?: LikeNote) {
    setLiking(null);
    if (refusePaused()) return;
    setLiked(likeType);
    await like(db, member, likeType, 'profile', note).catch(() => setLiked(undefined));
  }

  return (
    <>
      <MemberScreen
        actions={(member) => (
          <MemberActions
            liked={liked}
            match={match}
            member={member}
            onLike={(likeType) => void send(member, likeType)}
          />
        )}
        badges={({ id: memberId, firstName }) => (
          <Suspense fallback={null}>
            <ShownBadges memberId={memberId} />
            {match && <PrivateNote firstName={firstName} memberId={memberId} />}
          </Suspense>
        )}
        menu={(member) => <MemberMenu member={member} place="profile" />}
        onLikeTarget={canLikeTargets ? openLike : undefined}
      />
      {liking && (
        <Suspense fallback={null}>
          <LikeSheet
            allowance={allowance}
            member={liking.member}
            onClose={() => setLiking(null)}
            onLike={(likeType, note) => void send(liking.member, likeType, note)}
            target={liking.target}
          />
        </Suspense>
      )}
    </>
  );
}
