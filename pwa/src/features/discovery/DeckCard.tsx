import { BadgeCheck, ChevronUp, MessageCircleHeart } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { cardFactsOf } from '@/api/cardFacts.ts';
import type { Candidate, Photo } from '@/api/types.ts';
import { Badge, cn, IconButton, ScoreBadge, useMediaQuery } from '@/ui';
import { CardChips } from './CardChips.tsx';
import { Carousel } from './Carousel.tsx';
import { CardMotion } from './cardMotion.ts';
import { type Bezier, ease } from './curves.ts';
import type { Leaving } from './deck.ts';
import { type Decision, EXIT_SECONDS, exitEase, exitPoint, type Point, tilt } from './gesture.ts';
import { Stamps } from './Stamps.tsx';
import { useSwipe } from './useSwipe.ts';

type DeckCardProps = {
  member: Candidate;
  /** 0 is the top card, 1 and 2 are behind it. */
  depth: number;
  leaving: Leaving | null;
  /** Whether its pass was undone: the card then enters from the left, where it left. */
  returned: boolean;
  /** Returns false if the decision is not possible; the card then springs back. */
  onDecide: (decision: Decision, velocity: Point) => boolean;
  onExited: (id: string) => void;
  onMore: () => void;
  onLikePhoto: (photo: Photo) => void;
};

/** The start of a returning card, in widths of the card. */
const RETURN_FROM = 1.3;
const RETURN_SECONDS = 0.36;
const RETURN_EASE: Bezier = [0.2, 0.8, 0.3, 1];
const FADE_EASE: Bezier = [0.6, 0, 1, 1];
/** The curve of CSS's ease-out. */
const EASE_OUT: Bezier = [0, 0, 0.58, 1];

/** One card of the deck. Its element stays mounted from the back of the stack until the exit animation has ended. */
export function DeckCard(props: DeckCardProps) {
  const { member, depth, leaving, returned, onDecide, onExited, onMore, onLikePhoto } = props;
  const [photo, setPhoto] = useState(0);
  const ref = useRef<HTMLDivElement>(null);
  const reducedMotion = useMediaQuery('(prefers-reduced-motion: reduce)');
  const [motion] = useState(() => new CardMotion());
  const isTop = depth === 0 && leaving === null;
  const { width, handlers } = useSwipe(ref, motion, isTop, onDecide);
  useDrawnMotion(ref, motion, width, reducedMotion);

  const animateExit = useEffectEvent(({ decision, sizes, velocity }: Leaving) => {
    const from = { x: motion.get('x'), y: motion.get('y') };
    const to = exitPoint(decision, from, velocity, sizes.card, sizes.viewport);
    const axis = decision === 'super_like' ? 'y' : 'x';
    const curve = exitEase(to[axis] - from[axis], velocity[axis]);
    motion.stopMoving();
    if (!reducedMotion) {
      motion.animate('x', ease(from.x, to.x, EXIT_SECONDS, curve));
      motion.animate('y', ease(from.y, to.y, EXIT_SECONDS, curve));
    }
    const fade = ease(motion.get('opacity'), 0, EXIT_SECONDS, reducedMotion ? EASE_OUT : FADE_EASE);
    // A decision undone during the exit replaces this animation.
    motion.animate('opacity', fade, () => onExited(member.id));
  });
  const animateReturn = useEffectEvent(() => {
    // A card still in its exit returns from its current position; any other enters from the left, where it left.
    const from = { x: motion.get('x'), y: motion.get('y') };
    if (from.x === 0 && from.y === 0) from.x = -RETURN_FROM * (ref.current?.offsetWidth ?? 360);
    const seconds = reducedMotion ? 0 : RETURN_SECONDS;
    motion.moveTo(from.x, from.y);
    motion.animate('x', ease(from.x, 0, seconds, RETURN_EASE));
    motion.animate('y', ease(from.y, 0, seconds, RETURN_EASE));
    motion.animate('opacity', ease(motion.get('opacity'), 1, 0.2, EASE_OUT));
  });
  const wasLeaving = useRef(returned);
  // Before the paint, which would show a returning card at rest.
  useLayoutEffect(() => {
    if (leaving) animateExit(leaving);
    else if (wasLeaving.current) animateReturn();
    wasLeaving.current = leaving !== null;
  }, [leaving]);
  const [entrance] = useState(returned ? '' : 'hw-card-enter');

  return (
    <div
      aria-hidden={!isTop}
      className={cn('hw-card absolute inset-0', entrance, leaving && 'pointer-events-none')}
      inert={!isTop}
      style={{
        zIndex: leaving ? 4 : 3 - depth,
        transform: `translateY(${depth * 11}px) scale(${1 - depth * 0.05})`,
      }}
    >
      <div
        {...handlers}
        className={cn(
          'group relative size-full touch-pan-y select-none overflow-hidden rounded-card bg-photo-shade shadow-float ring-1 ring-line',
          isTop && 'cursor-grab will-change-transform active:cursor-grabbing',
        )}
        data-testid={isTop ? 'top-card' : undefined}
        ref={ref}
      >
        <Carousel active={isTop} index={photo} member={member} onIndex={setPhoto} />
        <CardBadges member={member} />
        <Facts member={member} onLikePhoto={onLikePhoto} onMore={onMore} photo={member.photos[photo]} />
        <div
          className="pointer-events-none absolute inset-0 bg-raised transition-opacity duration-300"
          style={{ opacity: depth * 0.35 }}
        />
        <Stamps decided={leaving?.decision ?? null} motion={motion} width={width} />
      </div>
    </div>
  );
}

/** Draws each change of a card's offset and opacity. */
function useDrawnMotion(
  card: RefObject<HTMLElement | null>,
  motion: CardMotion,
  width: RefObject<number>,
  reducedMotion: boolean,
): void {
  useLayoutEffect(() => {
    const draw = () => {
      if (!card.current) return;
      const { style } = card.current;
      const [x, y] = [motion.get('x'), motion.get('y')];
      // With reduced motion the card stays in place; stamps and fading show the decision.
      const isInPlace = reducedMotion || (x === 0 && y === 0);
      style.transform = isInPlace ? '' : `translate(${x}px, ${y}px) rotate(${tilt(x, width.current)}deg)`;
      style.opacity = String(motion.get('opacity'));
    };
    draw();
    return motion.onChange(draw);
  }, [card, motion, width, reducedMotion]);
  useEffect(() => () => motion.stop(), [motion]);
}

function CardBadges({ member }: { member: Candidate }) {
  return (
    <div className="pointer-events-none absolute inset-x-4 top-7 flex items-start justify-between gap-2">
      <div className="flex min-w-0 flex-wrap gap-1.5">
        {member.isVerified && (
          <Badge className="shadow-float" tone="sky">
            <BadgeCheck aria-hidden="true" className="size-4" strokeWidth={1.75} />
            Verified
          </Badge>
        )}
        <CardChips className="shadow-float" member={member} />
      </div>
      <ScoreBadge className="shrink-0 shadow-float" score={member.compatibility.overall} />
    </div>
  );
}

type FactsProps = Pick<DeckCardProps, 'member' | 'onMore' | 'onLikePhoto'> & { photo: Photo | undefined };

/**
 * The name, the town, pronouns and distance, and one line of text, on at most a quarter of the photo. The rest of the
 * profile is one tap away, or beside the card on wide screens.
 */
function Facts({ member, photo, onMore, onLikePhoto }: FactsProps) {
  const facts = cardFactsOf(member);
  const line = firstLine(member);
  const { distanceBand } = member.compatibility;
  return (
    <div className="photo-fade pointer-events-none absolute inset-x-0 bottom-0 max-h-1/4 px-5 pt-6 pb-4 text-on-photo">
      <div className="flex items-end gap-3">
        <h2 className="min-w-0 flex-1 truncate font-display font-semibold text-2xl">
          <bdi>{member.firstName || 'Anonymous'}</bdi>, {member.age}
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
          className="pointer-events-auto -ml-1 lg:hidden"
          icon={ChevronUp}
          label={`More about ${member.firstName}`}
          onClick={onMore}
          tone="photo"
        />
      </div>
      <ul className="mt-1 flex gap-x-4 text-sm">
        {facts.map(({ icon: Icon, text, label }) => (
          <li className="flex min-w-0 items-center gap-1.5" key={text}>
            <Icon aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.75} />
            {label && <span className="sr-only">{label}: </span>}
            <span className="truncate">{text}</span>
          </li>
        ))}
        {distanceBand && <li className="min-w-0 truncate">{distanceBand}</li>}
      </ul>
      {line && (
        <p className="mt-1 truncate [@media(max-height:620px)]:hidden" dir="auto">
          {line}
        </p>
      )}
    </div>
  );
}

/** Returns the line of text: the first line of the bio, else the occupation, else the intention tags. */
function firstLine({ bio, occupation, intentionTags }: Candidate): string {
  return bio.trim().split('\n', 1)[0] || occupation || intentionTags.join(' · ');
}
