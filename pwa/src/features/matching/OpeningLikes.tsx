import { type ReactNode, useMemo } from 'react';
import type { LikeNote } from '@/api/types.ts';
import { useLive } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { cn } from '@/ui';
import { LikedItem } from './LikedItem.tsx';

type Opening = { name: string; theirs: LikeNote | null; mine: LikeNote | null };

/** Returns the likes of a match that were about a photo or an answer, or have a comment; null without any. */
async function readOpening(db: HeartwardDb, anyId: string): Promise<Opening | null> {
  const match = await db.matches
    .filter(({ id, conversationId, user }) => id === anyId || conversationId === anyId || user.id === anyId)
    .first();
  const theirs = withContent(match?.theirLike);
  const mine = withContent(match?.myLike);
  return match && (theirs || mine) ? { name: match.user.firstName, theirs, mine } : null;
}

const withContent = (like: LikeNote | null | undefined): LikeNote | null =>
  like && (like.comment || like.photoUrl || like.prompt) ? like : null;

/**
 * Returns the likes that made the match of a conversation, drawn as its first item; undefined while they load and when
 * both were plain. `anyId` is the conversation's, its match's or the other member's. The element changes only with the
 * likes, because it makes every bubble of the thread render again.
 */
export function useOpeningLikes(anyId: string | undefined): ReactNode {
  const opening = useLive(async (db) => JSON.stringify(anyId ? await readOpening(db, anyId) : null), [anyId]);
  return useMemo(() => {
    const likes = JSON.parse(opening ?? 'null') as Opening | null;
    return likes ? <OpeningLikes {...likes} /> : undefined;
  }, [opening]);
}

function OpeningLikes({ name, theirs, mine }: Opening) {
  return (
    <div className="flex flex-col gap-2 pt-4">
      {theirs && <OpeningLike like={theirs} name={name} />}
      {mine && <OpeningLike like={mine} mine name={name} />}
    </div>
  );
}

function OpeningLike({ mine = false, ...like }: { like: LikeNote; name: string; mine?: boolean }) {
  return (
    <div className={cn('w-fit max-w-[85%]', mine && 'self-end')}>
      <LikedItem mine={mine} {...like} />
    </div>
  );
}
