import { BadgeCheck, ChevronUp, MessageCircleHeart } from 'lucide-react';
import {
  Suspense,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Candidate, Photo } from '@/api/types.ts';
import { cardFactsOf, type FactLine } from '@/domain/profile/cardFacts.ts';
import { Badge, cn, IconButton, lazyWithRetry, ScoreBadge, useMediaQuery } from '@/ui';
import { CardChips } from './CardChips.tsx';
import { Carousel } from './Carousel.tsx';
import type { Exiting } from './deck.ts';
import { type Decision, EXIT_SECONDS, type Point } from './gesture.ts';
import { type Mover, useSwipe } from './useSwipe.ts';

// Loaded lazily, so that the first card does not wait for the animation library.
export const CardMover = lazyWithRetry(() => import('./CardMover.tsx'));

type DeckCardProps = {
  member: Candidate;
  /** 0 is the top card, 1 and 2 are behind it. */
  depth: number;
  exiting: Exiting | null;
  /** Whether its pass was undone: the card then enters from the left, where it left. */
  returned: boolean;
  /** Whether the library that moves cards is loaded. */
  canMove: boolean;
  /** Returns false if the decision is not possible; the card then springs back. */
  onDecide: (decision: Decision, velocity: Point) => boolean;
  onExited: (id: string) => void;
  onMore: () => void;
  onLikePhoto: (photo: Photo) => void;
  /** Whether a request to the member waits for an answer. */
  isRequested: boolean;
};

/** One card of the deck. Its element stays mounted from the back of the stack until the end of its exit. */
export function DeckCard(props: DeckCardProps) {
  const { member, depth, exiting, returned, canMove, isRequested, onMore, onLikePhoto } = props;
  const [photo, setPhoto] = useState(0);
  const ref = useRef<HTMLDivElement>(null);
  const reducedMotion = useMediaQuery('(prefers-reduced-motion: reduce)');
  const isTop = depth === 0 && exiting === null;
  const mover = useRef<Mover>(null);
  const { width, handlers } = useSwipe(ref, mover, isTop, props.onDecide);
  // A card that was returned before the library was loaded is in its place.
  const [returns] = useState(returned && canMove);
  const moves = useMoves(canMove && depth === 0, returns);
  const [entrance] = useState(returned ? '' : 'hw-card-enter');
  useExit(exiting, () => props.onExited(member.id));

  return (
    <div
      aria-hidden={!isTop}
      className={cn(
        'hw-card absolute inset-0 [container-type:size]',
        entrance,
        exiting && 'hw-card-leave pointer-events-none',
      )}
      inert={!isTop}
      style={{
        zIndex: exiting ? 4 : 3 - depth,
        transform: `translateY(${depth * 11}px) scale(${1 - depth * 0.05})`,
      }}
    >
      <div
        {...handlers}
        className={cn(
          'group relative size-full touch-pan-y select-none overflow-hidden rounded-card bg-photo-shade shadow-float ring-1 ring-line',
          isTop && 'will-change-transform',
          isTop && moves && 'cursor-grab active:cursor-grabbing',
        )}
        data-testid={isTop ? 'top-card' : undefined}
        ref={ref}
      >
        <Carousel active={isTop} index={photo} member={member} onIndex={setPhoto} />
        <CardBadges isRequested={isRequested} member={member} />
        <Facts member={member} onLikePhoto={onLikePhoto} onMore={onMore} photo={member.photos[photo]} />
        <Veil depth={depth} />
        {moves && (
          <Suspense>
            <CardMover
              card={ref}
              exiting={exiting}
              reducedMotion={reducedMotion}
              ref={mover}
              returns={returns}
              width={width}
            />
          </Suspense>
        )}
      </div>
    </div>
  );
}

/** Fades the cards behind the top card. */
function Veil({ depth }: { depth: number }) {
  return (
    <div
      className="pointer-events-none absolute inset-0 bg-raised transition-opacity duration-300"
      style={{ opacity: depth * 0.35 }}
    />
  );
}

/** Calls `onExited` at the end of the exit: by a timer, so that the card is removed also if it could not be moved. */
function useExit(exiting: Exiting | null, onExited: () => void): void {
  const removeCard = useEffectEvent(onExited);
  useEffect(() => {
    if (!exiting) return;
    const timer = setTimeout(() => removeCard(), EXIT_SECONDS * 1000);
    return () => clearTimeout(timer);
  }, [exiting]);
}

/**
 * Returns whether the library moves the card, whose element must be there before. For a card that comes to the top this is
 * a moment later, so that a slow phone begins the exit of the one before at once; for one that returns, before it is painted.
 */
function useMoves(isFirst: boolean, returns: boolean): boolean {
  const isFirstLater = useDeferredValue(isFirst, false);
  const [hasElement, setHasElement] = useState(false);
  useLayoutEffect(() => setHasElement(returns), [returns]);
  return isFirst && (hasElement || isFirstLater);
}

function CardBadges({ member, isRequested }: Pick<DeckCardProps, 'member' | 'isRequested'>) {
  return (
    <div className="pointer-events-none absolute inset-x-4 top-7 flex items-start justify-between gap-2">
      <div className="flex min-w-0 flex-wrap gap-1.5">
        {member.isVerified && (
          <Badge className="shadow-float" tone="sky">
            <BadgeCheck aria-hidden="true" className="size-4" />
            Verified
          </Badge>
        )}
        <CardChips className="shadow-float" isRequested={isRequested} member={member} />
      </div>
      <ScoreBadge className="shrink-0 shadow-float" score={member.compatibility.overall} />
    </div>
  );
}

type FactsProps = Pick<DeckCardProps, 'member' | 'onMore' | 'onLikePhoto'> & { photo: Photo | undefined };

/**
 * The name, the town, distance and pronouns, and one line of text, on at most a quarter of the photo. The rest of the
 * profile is one tap away, or beside the card on wide screens.
 */
function Facts({ member, photo, onMore, onLikePhoto }: FactsProps) {
  const facts = factsOnCard(member);
  const line = firstLine(member);
  return (
    <div className="photo-fade pointer-events-none absolute inset-x-0 bottom-0 px-[20px] pt-[16px] pb-[14px] text-on-photo">
      <div className="flex items-end gap-[12px]">
        {/* Large text grows as far as a name has room beside the buttons; the age is never cut. */}
        <h2 className="flex min-w-0 flex-1 font-display font-semibold text-[min(1.5rem,9vw)] leading-[1.3333] md:text-2xl">
          <bdi className="truncate">{member.firstName || 'Anonymous'}</bdi>
          <span className="shrink-0 whitespace-pre">, {member.age}</span>
        </h2>
        {photo && (
          <IconButton
            aria-haspopup="dialog"
            className="pointer-events-auto"
            icon={MessageCircleHeart}
            label={`Like this photo of ${member.firstName}`}
            onClick={() => onLikePhoto(photo)}
            tone="photo"
          />
        )}
        <IconButton
          aria-haspopup="dialog"
          className="pointer-events-auto -ms-1 lg:hidden"
          icon={ChevronUp}
          label={`More about ${member.firstName}`}
          onClick={onMore}
          tone="photo"
        />
      </div>
      {/* A fact that does not fit is left out whole: it would be in a line above, which is hidden. */}
      <ul className="mt-1 flex h-5 flex-wrap-reverse gap-x-4 overflow-hidden text-ellipsis text-sm">
        {facts.map(({ icon: Icon, text, label }) => (
          <li className={fact} key={text}>
            {Icon && <Icon aria-hidden="true" className="size-4 shrink-0" />}
            {label && <span className="sr-only">{label}: </span>}
            <span className="truncate">{text}</span>
          </li>
        ))}
      </ul>
      {line && (
        // With it the texts of a lower card, or large ones, would cover more than a quarter.
        <p className="mt-1 truncate [@container(height<33.5rem)]:hidden" dir="auto">
          {line}
        </p>
      )}
    </div>
  );
}

const fact = 'flex max-w-full items-center gap-1.5';

/** Returns the town, the distance and the pronouns: those at the end are left out on a narrow card. */
function factsOnCard(member: Candidate): (Omit<FactLine, 'icon'> & Partial<FactLine>)[] {
  const { distanceBand } = member.compatibility;
  const [town, ...others] = cardFactsOf(member);
  return [...(town ? [town] : []), ...(distanceBand ? [{ text: distanceBand }] : []), ...others];
}

/** Returns the line of text: the first line of the bio, else the occupation, else the intention tags. */
function firstLine({ bio, occupation, intentionTags }: Candidate): string {
  return bio.trim().split('\n', 1)[0] || occupation || intentionTags.join(' · ');
}
