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
import { Tags } from './Tags.tsx';
import { useSwipe } from './useSwipe.ts';

type DeckCardProps = {
  member: Candidate;
  /** 0 is the card in hand, 1 and 2 lie behind it. */
  depth: number;
  leaving: Leaving | null;
  /** Its pass was taken back: it comes in from where it went. */
  returned: boolean;
  /** False: the deck does not take this decision, the card springs back. */
  onDecide: (decision: Decision, velocity: Point) => boolean;
  onGone: (id: string) => void;
  onMore: () => void;
  onLikePhoto: (photo: Photo) => void;
};

/** A returning card starts this far out, in widths of the card. */
const FROM_FAR = 1.3;

/** One card of the deck; it keeps its element from the back of the stack until it has flown off. */
export function DeckCard(props: DeckCardProps) {
  const { member, depth, leaving, returned, onDecide, onGone, onMore, onLikePhoto } = props;
  const [photo, setPhoto] = useState(0);
  const ref = useRef<HTMLDivElement>(null);
  const still = useReducedMotion() ?? false;
  const inHand = depth === 0 && leaving === null;
  const { x, y, width, handlers } = useSwipe(ref, inHand, onDecide);
  const opacity = useMotionValue(1);
  // Without motion the card stays where it is; the stamps and its fading out tell the same.
  const shownX = useTransform(() => (still ? 0 : x.get()));
  const shownY = useTransform(() => (still ? 0 : y.get()));
  const rotate = useTransform(() => (still ? 0 : tilt(x.get(), width.current)));

  const fly = useEffectEvent(({ decision, velocity }: Leaving) => {
    const from = { x: x.get(), y: y.get() };
    const size = { x: ref.current?.offsetWidth ?? 360, y: ref.current?.offsetHeight ?? 600 };
    const to = exitPoint(decision, from, velocity, size, { x: innerWidth, y: innerHeight });
    const along = decision === 'super_like' ? 'y' : 'x';
    const ease = exitEase(to[along] - from[along], velocity[along]);
    const timing = { duration: EXIT_SECONDS, ease };
    if (!still) {
      animate(x, to.x, timing);
      animate(y, to.y, timing);
    }
    animate(opacity, 0, { duration: EXIT_SECONDS, ease: still ? 'easeOut' : [0.6, 0, 1, 1] }).then(() => {
      // Taken back on its way, it stays.
      if (opacity.get() === 0) onGone(member.id);
    });
  });
  const comeBack = useEffectEvent(() => {
    // Caught in flight it turns round where it is; else it comes in from the left, where it went.
    if (x.get() === 0 && y.get() === 0) x.set(-FROM_FAR * (ref.current?.offsetWidth ?? 360));
    const timing = { duration: still ? 0 : 0.36, ease: [0.2, 0.8, 0.3, 1] } as const;
    animate(x, 0, timing);
    animate(y, 0, timing);
    animate(opacity, 1, { duration: 0.2 });
  });
  const away = useRef(returned);
  useEffect(() => {
    if (leaving) fly(leaving);
    else if (away.current) comeBack();
    away.current = leaving !== null;
  }, [leaving]);

  return (
    <m.div
      animate={{ opacity: 1, scale: 1 - depth * 0.05, y: depth * 11 }}
      aria-hidden={!inHand}
      className={cn('absolute inset-0', leaving && 'pointer-events-none')}
      inert={!inHand}
      initial={{ opacity: 0, scale: still || returned ? 1 : 0.87, y: still || returned ? 0 : 33 }}
      style={{ zIndex: leaving ? 4 : 3 - depth, originY: 1 }}
      transition={{ duration: still ? 0 : 0.28, ease: [0.2, 0.8, 0.3, 1] }}
    >
      <m.div
        {...handlers}
        className={cn(
          'group relative size-full touch-pan-y select-none overflow-hidden rounded-card bg-photo-shade shadow-float ring-1 ring-line',
          inHand && 'cursor-grab will-change-transform active:cursor-grabbing',
        )}
        data-testid={inHand ? 'top-card' : undefined}
        ref={ref}
        style={{ x: shownX, y: shownY, rotate, opacity }}
      >
        <Carousel active={inHand} index={photo} member={member} onIndex={setPhoto} />
        <Marks member={member} />
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

function Marks({ member }: { member: Candidate }) {
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

function Facts({ member, photo, onMore, onLikePhoto }: FactsProps) {
  const facts = factsOf(member, 'card');
  return (
    <div className="photo-fade pointer-events-none absolute inset-x-0 bottom-0 px-5 pt-10 pb-5 text-on-photo">
      <div className="flex items-end gap-3">
        <h2 className="min-w-0 flex-1 font-display font-semibold text-2xl">
          {member.firstName || 'Anonymous'}, {member.age}
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
      <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {facts.map(({ icon: Icon, text }) => (
          <li className="flex min-w-0 items-center gap-1.5" key={text}>
            <Icon aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.75} />
            <span className="truncate">{text}</span>
          </li>
        ))}
      </ul>
      {member.bio && <p className="mt-2 line-clamp-2 [@media(max-height:620px)]:hidden">{member.bio}</p>}
      <Tags className="mt-3" onPhoto tags={member.intentionTags} />
    </div>
  );
}
