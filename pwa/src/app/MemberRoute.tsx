import { Suspense, useState } from 'react';
import { useParams } from 'react-router';
import type { LikeType, PublicMember } from '@/api/types.ts';
import { type LikeNote, like } from '@/features/discovery/likeAndPass.ts';
import type { LikeTarget } from '@/features/members/MemberParts.tsx';
import MemberScreen from '@/features/members/MemberScreen.tsx';
import { MemberMenu } from '@/member-menu/MemberMenu.tsx';
import { useLive } from '@/offline/store/cached.ts';
import { useAllowance } from '@/offline/sync/allowance.ts';
import { lazyWithRetry } from '@/ui';
import { MemberActions } from './MemberActions.tsx';

const LikeSheet = lazyWithRetry(() =>
  import('@/features/discovery/LikeSheet.tsx').then(({ LikeSheet }) => ({ default: LikeSheet })),
);

const ShownBadges = lazyWithRetry(() => import('@/features/badges/ShownBadges.tsx'));

type Liking = { member: PublicMember; target: LikeTarget };

/** Another member's page with its actions. */
export default function MemberRoute() {
  const [liking, setLiking] = useState<Liking | null>(null);
  // By member, because the component stays mounted when the address changes to another one.
  const [liked, setLiked] = useState<Record<string, LikeType | undefined>>({});
  const { id = '' } = useParams();
  const matched = useLive(
    async (db) => (await db.matches.filter(({ user }) => user.id === id).count()) > 0,
    [id],
  );
  // The photos and answers of a matched or liked member cannot be liked.
  const decided = matched !== false || liked[id] !== undefined;
  const allowance = useAllowance();

  async function send(member: PublicMember, likeType: LikeType, note?: LikeNote) {
    setLiking(null);
    setLiked((before) => ({ ...before, [member.id]: likeType }));
    await like(member, likeType, 'profile', note).catch(() =>
      setLiked((before) => ({ ...before, [member.id]: undefined })),
    );
  }

  return (
    <>
      <MemberScreen
        actions={(member) => (
          <MemberActions
            key={member.id}
            liked={liked[member.id]}
            member={member}
            onLike={(likeType) => void send(member, likeType)}
          />
        )}
        badges={({ id: memberId }) => (
          <Suspense fallback={null}>
            <ShownBadges memberId={memberId} />
          </Suspense>
        )}
        menu={(member) => <MemberMenu member={member} place="profile" />}
        onLikeTarget={decided ? undefined : (target, member) => setLiking({ member, target })}
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
