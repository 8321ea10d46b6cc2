import { useEffect, useState } from 'react';
import type { LikeAllowance, ReceivedLike } from '@/api/types.ts';
import { useAllowance } from '@/offline/sync/allowance.ts';
import { paths } from '@/session/paths.ts';
import {
  Button,
  ButtonLink,
  dismissToast,
  EmptyState,
  ErrorState,
  formatTime,
  Screen,
  Skeleton,
  toast,
  toastError,
} from '@/ui';
import { LikeCard } from './LikeCard.tsx';
import { likeBack, moreLikes, noteLikesSeen, passOn, useLikes } from './likes.ts';
import { MatchesNav } from './MatchesNav.tsx';
import { More } from './More.tsx';

/** /matches/likes: everybody who likes the member, free. */
export default function LikesScreen() {
  const { data, state, refresh } = useLikes();
  const rows = data?.rows;
  useEffect(() => {
    if (rows) void noteLikesSeen(rows).catch(() => undefined);
  }, [rows]);
  return (
    <Screen title="Likes You">
      <MatchesNav />
      <p className="text-muted">People who like you. Like them back, and you match.</p>
      <Left />
      {state === 'loading' && <Waiting />}
      {state === 'error' && <ErrorState onRetry={refresh} title="Failed to fetch likes" />}
      {state === 'empty' && <Nobody />}
      {state === 'ready' && rows && (
        <>
          <ul className="mt-5 grid gap-4 min-[520px]:grid-cols-2 lg:grid-cols-3">
            {rows.map((like, index) => (
              <li className="flex" key={like.id}>
                <LikeCard
                  eager={index < 3}
                  like={like}
                  onLike={() => void likeBack(like).catch(() => undefined)}
                  onPass={() => void pass(like)}
                />
              </li>
            ))}
          </ul>
          {data.more && <More load={moreLikes} />}
        </>
      )}
    </Screen>
  );
}

/** A pass is easily tapped by mistake: the toast takes it back. */
async function pass(like: ReceivedLike): Promise<void> {
  const undo = await passOn(like).catch(() => null);
  if (!undo) return;
  const takeBack = () => {
    dismissToast();
    undo().catch(() => toastError('Please try again.'));
  };
  toast({
    title: `You passed on ${like.user.firstName || 'them'}`,
    action: (
      <Button onClick={takeBack} size="sm" variant="secondary">
        Undo
      </Button>
    ),
  });
}

/** From here on it is worth knowing. */
const FEW = 10;

/** How many likes the day still has, once they become few. */
function Left() {
  const allowance = useAllowance();
  const [now] = useState(Date.now);
  const text = allowance && leftText(allowance, now);
  if (!text) return null;
  return <p className="mt-2 text-sm">{text}</p>;
}

function leftText({ likesLeft, likesResetAt }: LikeAllowance, now: number): string {
  if (likesLeft > FEW) return '';
  if (likesLeft > 0) return `You have ${likesLeft} ${likesLeft === 1 ? 'like' : 'likes'} left today.`;
  if (!likesResetAt || Date.parse(likesResetAt) <= now) return '';
  return `You have used today's likes. The next one comes at ${formatTime(likesResetAt)}; a like you send before is kept and goes out then.`;
}

function Nobody() {
  return (
    <EmptyState
      action={<ButtonLink to={paths.home}>Discover People</ButtonLink>}
      art="hearts"
      text="When somebody likes you, they wait here for your answer. It's free, always."
      title="No likes waiting"
    />
  );
}

function Waiting() {
  return (
    <div
      aria-label="Loading likes"
      className="mt-5 grid gap-4 min-[520px]:grid-cols-2 lg:grid-cols-3"
      role="status"
    >
      {['a', 'b', 'c'].map((key) => (
        <Skeleton className="h-130 rounded-card" key={key} />
      ))}
    </div>
  );
}
