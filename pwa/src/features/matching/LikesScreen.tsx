import { useEffect, useRef, useState } from 'react';
import { describeLoadError } from '@/api/client.ts';
import type { LikeAllowance, ReceivedLike } from '@/api/types.ts';
import { countText, formatTime } from '@/base/format.ts';
import { useAllowance } from '@/domain/allowance.ts';
import { useDb } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { paths } from '@/session/paths.ts';
import {
  Button,
  ButtonLink,
  dismissToast,
  EmptyState,
  ErrorState,
  Screen,
  Skeleton,
  showFailure,
  toast,
  useMovedRows,
} from '@/ui';
import { LikeTile } from './LikeTile.tsx';
import { LoadMore } from './LoadMore.tsx';
import { likeBack, loadMoreLikes, passOn, storeLikesSeenAt, useLikes } from './likes.ts';
import { MatchesNav } from './MatchesNav.tsx';
import { OpenLike } from './OpenLike.tsx';

/** Two faces beside each other on every phone, one with text of double size; three from 768 px, four from 1024. */
const FACES =
  'mt-5 grid grid-cols-[repeat(auto-fill,minmax(min(100%,8.5rem),1fr))] gap-3 md:grid-cols-[repeat(auto-fill,minmax(10.5rem,1fr))] md:gap-4 lg:grid-cols-[repeat(auto-fill,minmax(13rem,1fr))]';

/** /matches/likes: the members who like the signed-in member. */
export default function LikesScreen() {
  const db = useDb();
  const { data, state, error, refresh } = useLikes();
  const rows = data?.rows;
  useEffect(() => {
    if (rows) void storeLikesSeenAt(db, rows).catch(() => undefined);
  }, [rows, db]);
  return (
    <Screen title="Likes You">
      <MatchesNav />
      {state !== 'error' && (
        <>
          <p className="text-muted">
            People who like you. Like them back, and you match. A like waits for a year.
          </p>
          <LikesLeft />
        </>
      )}
      {state === 'loading' && <LikesSkeleton />}
      {state === 'error' && (
        <ErrorState
          onRetry={refresh}
          text={describeLoadError(error)}
          title="Your likes could not be loaded"
        />
      )}
      {state === 'empty' && <NoLikes />}
      {state === 'ready' && rows && (
        <>
          <Likes rows={rows} />
          {data.more && <LoadMore load={() => loadMoreLikes(db)} />}
        </>
      )}
    </Screen>
  );
}

/** The likes as a grid of faces; one opens over it. */
function Likes({ rows }: { rows: ReceivedLike[] }) {
  const db = useDb();
  const [openId, setOpenId] = useState('');
  const open = rows.find(({ id }) => id === openId);
  const close = () => setOpenId('');
  const list = useRef<HTMLUListElement>(null);
  useMovedRows(list, rows.map(({ id }) => id).join());
  /** Answers the open like. It is closed, because a pass that is undone returns it to the list. */
  function decideAndClose(decide: (db: HeartwardDb, like: ReceivedLike) => Promise<void>) {
    close();
    if (open) void decide(db, open);
  }
  return (
    <>
      <ul className={FACES} ref={list}>
        {rows.map((like, index) => (
          <li className="flex" key={like.id}>
            <LikeTile
              eager={index < 6}
              like={like}
              onLike={() => void likeBackTo(db, like)}
              onOpen={() => setOpenId(like.id)}
            />
          </li>
        ))}
      </ul>
      {open && (
        <OpenLike
          like={open}
          onClose={close}
          onLike={() => decideAndClose(likeBackTo)}
          onPass={() => decideAndClose(pass)}
        />
      )}
    </>
  );
}

/** Likes back; a failure is reported by likeBack. */
const likeBackTo = (db: HeartwardDb, like: ReceivedLike): Promise<void> =>
  likeBack(db, like).catch(() => undefined);

/** Passes on a member, with a toast that can undo it. */
async function pass(db: HeartwardDb, like: ReceivedLike): Promise<void> {
  const undo = await passOn(db, like).catch(() => null);
  if (!undo) return;
  const undoAndDismiss = () => {
    dismissToast();
    undo().catch(showFailure);
  };
  toast({
    title: `You passed on ${like.user.firstName || 'them'}`,
    action: (
      <Button onClick={undoAndDismiss} size="sm" variant="secondary">
        Undo
      </Button>
    ),
  });
}

/** The number of likes left is shown from this number down. */
const SHOW_LEFT_AT = 10;

/** How many likes are left today, when they are few. */
function LikesLeft() {
  const allowance = useAllowance();
  const [now] = useState(Date.now);
  const text = allowance && likesLeftText(allowance, now);
  if (!text) return null;
  return <p className="mt-2 text-sm">{text}</p>;
}

function likesLeftText({ likesLeft, likesResetAt }: LikeAllowance, now: number): string {
  if (likesLeft > SHOW_LEFT_AT) return '';
  if (likesLeft > 0) return `You have ${countText(likesLeft, 'like')} left today.`;
  if (!likesResetAt || Date.parse(likesResetAt) <= now) return '';
  return `You have used today's likes. The next one comes at ${formatTime(likesResetAt)}; a like you send before then is kept and sent at that time.`;
}

function NoLikes() {
  return (
    <EmptyState
      action={<ButtonLink to={paths.home}>Discover People</ButtonLink>}
      art="hearts"
      text="When someone likes you, you'll see them here. It's free, always."
      title="No likes waiting"
    />
  );
}

function LikesSkeleton() {
  return (
    <div aria-label="Loading likes" className={FACES} role="status">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton className="aspect-3/4 rounded-card" key={key} />
      ))}
    </div>
  );
}
