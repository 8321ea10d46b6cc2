import type { LikeNote } from '@/api/types.ts';
import { Photo } from '@/ui';

type LikedItemProps = {
  like: Pick<LikeNote, 'comment' | 'photoUrl' | 'prompt'>;
  /** The sender's first name. */
  name: string;
};

/** The photo or answer that a like is about, and its comment; nothing for a plain like. */
export function LikedItem({ like: { comment, photoUrl, prompt }, name }: LikedItemProps) {
  const about = describeTarget(photoUrl, prompt);
  if (!comment && !about) return null;
  return (
    <figure className="flex items-start gap-3 rounded-control bg-ember-soft p-3 text-ember-strong">
      {photoUrl && (
        <Photo alt="Your photo" className="w-12 shrink-0 rounded-[8px]" ratio="4/5" src={photoUrl} />
      )}
      <div className="min-w-0">
        {about && (
          <figcaption className="text-sm">
            {name} liked {about}
          </figcaption>
        )}
        {comment && (
          <blockquote className="font-display text-lg leading-snug [overflow-wrap:anywhere]">
            “{comment}”
          </blockquote>
        )}
      </div>
    </figure>
  );
}

/** Returns "your photo", "your answer to “A perfect Sunday”", or an empty string. */
export function describeTarget(photoUrl: string | null, prompt: string | null): string {
  if (photoUrl) return 'your photo';
  return prompt ? `your answer to “${prompt}”` : '';
}
