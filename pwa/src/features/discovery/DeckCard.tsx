import { BadgeCheck, Briefcase, ChevronUp, GraduationCap, MapPin } from 'lucide-react';
import { animate, m, useMotionValue, useReducedMotion, useTransform } from 'motion/react';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Candidate } from '@/api/types.ts';
import { educations } from '@/api/words.ts';
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
  onDecide: (decision: Decision, velocity: Point) => void;
  onGone: (id: string) => void;
  onMore: () => void;
};

/** One card of the deck; it keeps its element from the back of the stack until it has flown off. */
export function DeckCard({ member, depth, leaving, onDecide, onGone, onMore }: DeckCardProps) {
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
    animate(opacity, 0, { duration: EXIT_SECONDS, ease: still ? 'easeOut' : [0.6, 0, 1, 1] }).then(() =>
      onGone(member.id),
    );
  });
  useEffect(() => {
    if (leaving) fly(leaving);
  }, [leaving]);

  return (
    <m.div
      animate={{ opacity: 1, scale: 1 - depth * 0.05, y: depth * 11 }}
      aria-hidden={!inHand}
      className={cn('absolute inset-0', leaving && 'pointer-events-none')}
      inert={!inHand}
      initial={{ opacity: 0, scale: still ? 1 : 0.87, y: still ? 0 : 33 }}
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
        <Carousel active={inHand} member={member} />
        <Marks member={member} />
        <Facts member={member} onMore={onMore} />
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

function Facts({ member, onMore }: { member: Candidate; onMore: () => void }) {
  const facts = [
    { icon: MapPin, text: [member.city, member.state].filter(Boolean).join(', ') },
    { icon: Briefcase, text: member.occupation },
    { icon: GraduationCap, text: member.education ? educations[member.education] : '' },
  ].filter(({ text }) => text);
  return (
    <div className="photo-fade pointer-events-none absolute inset-x-0 bottom-0 px-5 pt-10 pb-5 text-on-photo">
      <div className="flex items-end gap-3">
        <h2 className="min-w-0 flex-1 font-display font-semibold text-2xl">
          {member.firstName || 'Anonymous'}, {member.age}
        </h2>
        <IconButton
          aria-haspopup="dialog"
          className="pointer-events-auto lg:hidden"
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
