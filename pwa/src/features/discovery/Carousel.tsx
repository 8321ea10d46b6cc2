import { type ReactNode, useEffect } from 'react';
import type { Candidate } from '@/api/types.ts';
import { useSession } from '@/base/pageSession.ts';
import { cn, initialOf, Photo } from '@/ui';
import { prefetchPicture, useDrawable } from './prefetchedPictures.ts';

type CarouselProps = {
  member: Candidate;
  active: boolean;
  index: number;
  onIndex: (index: number) => void;
};

/** Shows one photo of a member at a time. A tap on the left third goes back, elsewhere forward. */
export function Carousel({ member, active, index, onIndex }: CarouselProps) {
  const session = useSession();
  const { photos, firstName } = member;
  const photo = useDrawable(photos[index]);
  const next = photos[index + 1];

  useEffect(() => {
    if (active) prefetchPicture(session, next);
  }, [session, active, next]);

  if (!photo) return <Initial member={member} />;
  const move = (step: number) => onIndex(Math.min(photos.length - 1, Math.max(0, index + step)));
  return (
    <>
      <Frame>
        <Photo
          alt={photo.caption || `${firstName}, photo ${index + 1} of ${photos.length}`}
          eager
          key={photo.id}
          photo={photo}
          ratio="fill"
        />
      </Frame>
      {photos.length > 1 && (
        <>
          <div aria-hidden="true" className="absolute inset-x-4 top-3 flex gap-1.5">
            {photos.map(({ id }, position) => (
              <span
                className={cn(
                  'h-1 flex-1 rounded-full bg-on-photo shadow-float transition-opacity duration-200',
                  position === index ? 'opacity-100' : 'opacity-45',
                )}
                key={id}
              />
            ))}
          </div>
          <button
            aria-label="Previous photo"
            className="absolute inset-y-0 inset-s-0 w-1/3 touch-pan-y"
            disabled={index === 0}
            onClick={() => move(-1)}
            type="button"
          />
          <button
            aria-label="Next photo"
            className="absolute inset-y-0 inset-e-0 w-2/3 touch-pan-y"
            disabled={index === photos.length - 1}
            onClick={() => move(1)}
            type="button"
          />
        </>
      )}
    </>
  );
}

/** Shows the picture at the top of the card, down to the name on a tall one, and fades it into the dark background of the text. */
function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="absolute inset-x-0 top-0 aspect-4/5 max-h-full min-h-[calc(100%-5.5rem)] w-full">
      {children}
      <div className="absolute inset-x-0 bottom-0 h-20 bg-linear-to-t from-0% from-photo-shade to-transparent" />
    </div>
  );
}

const INITIAL_COLOURS = [
  'bg-plum-soft text-plum',
  'bg-ember-soft text-ember-strong',
  'bg-sage-soft text-sage',
];

function Initial({ member }: { member: Candidate }) {
  const colours = INITIAL_COLOURS[(member.firstName.codePointAt(0) ?? 0) % INITIAL_COLOURS.length];
  return (
    <Frame>
      <span
        aria-hidden="true"
        className={cn('grid size-full place-items-center pb-24 font-display font-semibold text-4xl', colours)}
      >
        {initialOf(member.firstName)}
      </span>
    </Frame>
  );
}
