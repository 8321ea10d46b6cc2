import { Heart, Star } from 'lucide-react';
import { useId, useState } from 'react';
import { MAX_LIKE_COMMENT } from '@/api/limits.gen.ts';
import type { LikeAllowance, LikeType, Photo as PhotoType, Prompt, PublicMember } from '@/api/types.ts';
import { superLikesLeft } from '@/domain/allowance.ts';
import type { LikeNote } from '@/domain/decide.ts';
import { Button, Photo, Sheet, TextArea } from '@/ui';
import { noSuperLikesLeft } from './allowanceText.ts';

/** The photo or answer that the like is about. */
export type LikeTarget = { photo: PhotoType; prompt?: undefined } | { prompt: Prompt; photo?: undefined };

type LikeSheetProps = {
  member: Pick<PublicMember, 'firstName'>;
  target: LikeTarget;
  allowance: LikeAllowance | null;
  onLike: (likeType: LikeType, note: LikeNote) => void;
  onClose: () => void;
};

/** Likes one photo or answer, with an optional comment. */
export function LikeSheet({ member, target, allowance, onLike, onClose }: LikeSheetProps) {
  const [comment, setComment] = useState('');
  const noneLeftId = useId();
  const { photo, prompt } = target;
  const noneLeft = superLikesLeft(allowance) === 0;

  function send(likeType: LikeType) {
    const text = comment.trim();
    onLike(likeType, {
      ...(text && { comment: text }),
      ...(photo ? { photoId: photo.id } : { prompt: prompt.question }),
    });
  }

  return (
    <Sheet
      actions={
        <>
          <Button
            aria-describedby={noneLeft ? noneLeftId : undefined}
            className="flex-1 px-3 md:flex-none md:px-5"
            disabled={noneLeft}
            onClick={() => send('super_like')}
            variant="secondary"
          >
            <Star aria-hidden="true" className="size-5 text-marigold-ink" />
            Super Like
          </Button>
          <Button className="flex-1 px-3 md:flex-none md:px-5" onClick={() => send('like')}>
            <Heart aria-hidden="true" className="size-5" />
            Like
          </Button>
        </>
      }
      onClose={onClose}
      open
      title={photo ? `Like ${member.firstName}'s photo` : `Like ${member.firstName}'s answer`}
    >
      <div className="flex flex-col gap-4">
        <Target name={member.firstName} target={target} />
        <TextArea
          count={comment.length}
          label="Add a comment (optional)"
          maxLength={MAX_LIKE_COMMENT}
          onChange={(event) => setComment(event.target.value)}
          placeholder={`Say what caught your eye. ${member.firstName} will read it with your like.`}
          value={comment}
        />
        {noneLeft && (
          <p className="text-muted text-sm" id={noneLeftId}>
            {noSuperLikesLeft(allowance).title}. {noSuperLikesLeft(allowance).description}
          </p>
        )}
      </div>
    </Sheet>
  );
}

function Target({ target: { photo, prompt }, name }: { target: LikeTarget; name: string }) {
  if (photo)
    return (
      <Photo
        alt={photo.caption || `The photo of ${name} that you like`}
        className="w-36 self-center rounded-card shadow-float"
        eager
        photo={photo}
      />
    );
  return (
    <figure className="rounded-card bg-plum-soft p-5 text-plum">
      <figcaption className="text-sm">{prompt.question}</figcaption>
      <blockquote className="mt-1 font-display text-lg" dir="auto">
        {prompt.answer || `${name} answered with a recording.`}
      </blockquote>
    </figure>
  );
}
