import type { LikeNote } from '@/api/types.ts';
import { Photo } from '@/ui';

type LikedItemProps = {
  /** `answer` is missing in matches that an older version stored. */
  like: Pick<LikeNote, 'comment' | 'photoUrl' | 'prompt'> & Partial<Pick<LikeNote, 'answer'>>;
  /** The other member's first name. */
  name: string;
  /** It is the signed-in member's like of the other member. */
  mine?: boolean;
};

/** The photo or answer that a like is about, and its comment; nothing for a plain like. */
export function LikedItem({
  like: { comment, photoUrl, prompt, answer },
  name,
  mine = false,
}: LikedItemProps) {
  const about = describeTarget(photoUrl, prompt, mine ? `${name}'s` : 'your');
  if (!comment && !about) return null;
  return (
    <figure className="flex items-start gap-3 rounded-control bg-ember-soft p-3 text-ember-strong">
      {photoUrl && (
        <Photo
          alt={mine ? `${name}'s photo` : 'Your photo'}
          className="w-12 shrink-0 rounded-[8px]"
          ratio="4/5"
          src={photoUrl}
        />
      )}
      <div className="min-w-0">
        {about && (
          <figcaption className="text-sm">
            {mine ? 'You' : name} liked {about}
          </figcaption>
        )}
        {answer && (
          <p className="mt-0.5 mb-1 line-clamp-3 text-ink [overflow-wrap:anywhere]" dir="auto">
            {answer}
          </p>
        )}
        {comment && (
          <blockquote className="font-display text-lg leading-snug [overflow-wrap:anywhere]">
            “<bdi>{comment}</bdi>”
          </blockquote>
        )}
      </div>
    </figure>
  );
}

/** Returns "your photo", "your answer to “A perfect Sunday”", or an empty string. */
export function describeTarget(photoUrl: string | null, prompt: string | null, whose = 'your'): string {
  if (photoUrl) return `${whose} photo`;
  return prompt ? `${whose} answer to “${prompt}”` : '';
}
