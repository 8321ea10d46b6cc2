import { Heart, Star } from 'lucide-react';
import { useId, useState } from 'react';
import type { LikeAllowance, LikeType, Photo as PhotoType, Prompt, PublicMember } from '@/api/types.ts';
import { superLikesLeft } from '@/offline/sync/allowance.ts';
import { Button, Photo, Sheet, TextArea } from '@/ui';
import { noneLeft } from './allowanceWords.ts';
import type { LikeNote } from './decide.ts';

/** What the like is about. */
export type LikeTarget = { photo: PhotoType; prompt?: undefined } | { prompt: Prompt; photo?: undefined };

const LONGEST = 300;

type LikeSheetProps = {
  member: Pick<PublicMember, 'firstName'>;
  target: LikeTarget;
  allowance: LikeAllowance | null;
  onLike: (likeType: LikeType, note: LikeNote) => void;
  onClose: () => void;
};

/** A like for one photo or one answer, with a few words if the member has some. */
export function LikeSheet({ member, target, allowance, onLike, onClose }: LikeSheetProps) {
  const [comment, setComment] = useState('');
  const whyId = useId();
  const { photo, prompt } = target;
  const spent = superLikesLeft(allowance) === 0;

  function send(likeType: LikeType) {
    const words = comment.trim();
    onLike(likeType, {
      ...(words && { comment: words }),
      ...(photo ? { photoId: photo.id } : { prompt: prompt.question }),
    });
  }

  return (
    <Sheet
      actions={
        <>
          <Button
            aria-describedby={spent ? whyId : undefined}
            className="flex-1 px-3 md:flex-none md:px-5"
            disabled={spent}
            onClick={() => send('super_like')}
            variant="secondary"
          >
            <Star aria-hidden="true" className="size-5 text-marigold-ink" strokeWidth={1.75} />
            Super Like
          </Button>
          <Button className="flex-1 px-3 md:flex-none md:px-5" onClick={() => send('like')}>
            <Heart aria-hidden="true" className="size-5" strokeWidth={1.75} />
            Like
          </Button>
        </>
      }
      onClose={onClose}
      open
      title={photo ? `Like ${member.firstName}'s photo` : `Like ${member.firstName}'s answer`}
    >
      <div className="flex flex-col gap-4">
        {photo ? (
          <Photo
            alt={photo.caption || `The photo of ${member.firstName} that you like`}
            className="w-36 self-center rounded-card shadow-float"
            eager
            photo={photo}
          />
        ) : (
          <figure className="rounded-card bg-plum-soft p-5 text-plum">
            <figcaption className="text-sm">{prompt.question}</figcaption>
            <blockquote className="mt-1 font-display text-lg">{prompt.answer}</blockquote>
          </figure>
        )}
        <TextArea
          count={comment.length}
          label="Add a comment (optional)"
          maxLength={LONGEST}
          onChange={(event) => setComment(event.target.value)}
          placeholder={`Say what caught your eye. ${member.firstName} will read it with your like.`}
          value={comment}
        />
        {spent && (
          <p className="text-muted text-sm" id={whyId}>
            {noneLeft(allowance).title}. {noneLeft(allowance).description}
          </p>
        )}
      </div>
    </Sheet>
  );
}
