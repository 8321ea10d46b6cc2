import { BadgeCheck, ChevronUp, MessageCircleHeart } from 'lucide-react';
import { animate, m, useMotionValue, useReducedMotion, useTransform } from 'motion/react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { factsOf } from '@/api/facts.ts';
import type { Candidate, Photo } from '@/api/types.ts';
import { Badge, cn, IconButton, ScoreBadge } from '@/ui';
import { Carousel } from './Carousel.tsx';
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

/** One card of the deck. Its element stays mounted from the back of the stack until the exit animation has ended. */
export function DeckCard(props: DeckCardProps) {
  const { member, depth, leaving, returned, onDecide, onExited, onMore, onLikePhoto } = props;
  const [photo, setPhoto] = useState(0);
  const ref = useRef<HTMLDivElement>(null);
  const reducedMotion = useReducedMotion() ?? false;
  const isTop = depth === 0 && leaving === null;
  const { x, y, width, handlers } = useSwipe(ref, isTop, onDecide);
  const opacity = useMotionValue(1);
  // With reduced motion the card stays in place; stamps and fading show the decision.
  const shownX = useTransform(() => (reducedMotion ? 0 : x.get()));
  const shownY = useTransform(() => (reducedMotion ? 0 : y.get()));
  const rotate = useTransform(() => (reducedMotion ? 0 : tilt(x.get(), width.current)));

  const animateExit = useEffectEvent(({ decision, velocity }: Leaving) => {
    const from = { x: x.get(), y: y.get() };
    const size = { x: ref.current?.offsetWidth ?? 360, y: ref.current?.offsetHeight ?? 600 };
    const to = exitPoint(decision, from, velocity, size, { x: innerWidth, y: innerHeight });
    const axis = decision === 'super_like' ? 'y' : 'x';
    const ease = exitEase(to[axis] - from[axis], velocity[axis]);
    const timing = { duration: EXIT_SECONDS, ease };
    if (!reducedMotion) {
      animate(x, to.x, timing);
      animate(y, to.y, timing);
    }
    animate(opacity, 0, { duration: EXIT_SECONDS, ease: reducedMotion ? 'easeOut' : [0.6, 0, 1, 1] }).then(
      () => {
        // A decision undone during the exit has made the card opaque again.
        if (opacity.get() === 0) onExited(member.id);
      },
    );
  });
  const animateReturn = useEffectEvent(() => {
    // A card still in its exit returns from its current position; any other enters from the left, where it left.
    if (x.get() === 0 && y.get() === 0) x.set(-RETURN_FROM * (ref.current?.offsetWidth ?? 360));
    const timing = { duration: reducedMotion ? 0 : 0.36, ease: [0.2, 0.8, 0.3, 1] } as const;
    animate(x, 0, timing);
    animate(y, 0, timing);
    animate(opacity, 1, { duration: 0.2 });
  });
  const wasLeaving = useRef(returned);
  useEffect(() => {
    if (leaving) animateExit(leaving);
    else if (wasLeaving.current) animateReturn();
    wasLeaving.current = leaving !== null;
  }, [leaving]);

  return (
    <m.div
      animate={{ opacity: 1, scale: 1 - depth * 0.05, y: depth * 11 }}
      aria-hidden={!isTop}
      className={cn('absolute inset-0', leaving && 'pointer-events-none')}
      inert={!isTop}
      initial={{
        opacity: 0,
        scale: reducedMotion || returned ? 1 : 0.87,
        y: reducedMotion || returned ? 0 : 33,
      }}
      style={{ zIndex: leaving ? 4 : 3 - depth, originY: 1 }}
      transition={{ duration: reducedMotion ? 0 : 0.28, ease: [0.2, 0.8, 0.3, 1] }}
    >
      <m.div
        {...handlers}
        className={cn(
          'group relative size-full touch-pan-y select-none overflow-hidden rounded-card bg-photo-shade shadow-float ring-1 ring-line',
          isTop && 'cursor-grab will-change-transform active:cursor-grabbing',
        )}
        data-testid={isTop ? 'top-card' : undefined}
        ref={ref}
        style={{ x: shownX, y: shownY, rotate, opacity }}
      >
        <Carousel active={isTop} index={photo} member={member} onIndex={setPhoto} />
        <CardBadges member={member} />
        <Facts member={member} onLikePhoto={onLikePhoto} onMore={onMore} photo={member.photos[photo]} />
        <div
          className="pointer-events-none absolute inset-0 bg-raised transition-opacity duration-300"
          style={{ opacity: depth * 0.35 }}
        />
        <Stamps decided={leaving?.decision ?? null} width={width} x={x} y={y} />
      </m.div>
    </m.div>
  );
}

function CardBadges({ member }: { member: Candidate }) {
  return (
    <div className="pointer-events-none absolute inset-x-4 top-7 flex items-center justify-between gap-2">
      {member.isVerified ? (
        <Badge className="shadow-float" tone="sky">
          <BadgeCheck aria-hidden="true" className="size-4" strokeWidth={1.75} />
          Verified
        </Badge>
      ) : (
        <span />
      )}
      <ScoreBadge className="shadow-float" score={member.compatibility.overall} />
    </div>
  );
}

type FactsProps = Pick<DeckCardProps, 'member' | 'onMore' | 'onLikePhoto'> & { photo: Photo | undefined };

/**
 * The name, the town and one line, on at most a quarter of the photo. The rest of the profile is one tap away, or
 * beside the card on wide screens.
 */
function Facts({ member, photo, onMore, onLikePhoto }: FactsProps) {
  const facts = factsOf(member, 'card');
  const line = firstLine(member);
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
        {facts.map(({ icon: Icon, text }) => (
          <li className="flex min-w-0 items-center gap-1.5" key={text}>
            <Icon aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.75} />
            <span className="truncate">{text}</span>
          </li>
        ))}
      </ul>
      {line && (
        <p className="mt-1 truncate [@media(max-height:620px)]:hidden" dir="auto">
          {line}
        </p>
      )}
    </div>
  );
}

/** Returns the line under the town: the first line of the bio, else the occupation, else the intention tags. */
function firstLine({ bio, occupation, intentionTags }: Candidate): string {
  return bio.trim().split('\n', 1)[0] || occupation || intentionTags.join(' · ');
}
