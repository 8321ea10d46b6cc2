import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Candidate, LikeAllowance } from '@/api/types.ts';
import { superLikesLeft, useAllowance } from '@/domain/allowance.ts';
import type { LikeNote } from '@/domain/decide.ts';
import { whenIdle } from '@/offline/store/idle.ts';
import { lazyWithRetry, Sheet, Skeleton, toast, useLoaded, useMediaQuery } from '@/ui';
import { DecisionButtons } from './DecisionButtons.tsx';
import { CardMover, DeckCard } from './DeckCard.tsx';
import type { DeckState } from './deck.ts';
import { deckActionOf } from './deckKeys.ts';
import type { Decision, Point } from './gesture.ts';
import type { LikeTarget } from './LikeSheet.tsx';
import { refusePaused } from './paused.ts';
import { useRequested } from './requested.ts';

// Loaded lazily, so that the first card does not wait for them.
const MoreAbout = lazyWithRetry(() => import('./MoreAbout.tsx'));
const LikeSheet = lazyWithRetry(() =>
  import('./LikeSheet.tsx').then(({ LikeSheet }) => ({ default: LikeSheet })),
);

const SPOKEN: Record<Decision, string> = { like: 'Liked', pass: 'Passed on', super_like: 'Super liked' };

type DeckProps = {
  deck: DeckState;
  onUndo: () => void;
  /** Announces a text to screen readers. */
  onAnnounce: (text: string) => void;
};

/** The cards, with decisions by finger, button or key. */
export function Deck({ deck, onUndo, onAnnounce }: DeckProps) {
  const { cards, shown } = deck;
  const group = useRef<HTMLFieldSetElement>(null);
  const stack = useRef<HTMLDivElement>(null);
  const allowance = useAllowance();
  // On wide screens the details of each card are beside it, whose profile would count as opened.
  const isWide = useMediaQuery('(min-width: 1024px)');
  const top = shown[0]?.candidate;

  const choose = useChoose(deck, stack, allowance, (spoken) => {
    closeSheets();
    onAnnounce(spoken);
  });
  const { details, sheets, openDetails, openLike, closeSheets } = useSheets(
    top,
    isWide,
    allowance,
    (likeType, note) => choose(likeType, undefined, note),
  );

  useFocusInDeck(group, top?.id);
  return (
    <DeckFrame isWide={isWide} panel={details} panelFor={top}>
      <fieldset
        aria-describedby="deck-help"
        aria-label="Matches for you"
        className="outline-offset-8 short:flex short:items-center short:gap-6"
        onKeyDown={(event) => handleKey(event, choose, onUndo)}
        ref={group}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys work only while it has the focus
        tabIndex={0}
      >
        <Help />
        <Stack
          deck={deck}
          onDecide={choose}
          onLikePhoto={(photo) => openLike({ photo })}
          onMore={openDetails}
          ref={stack}
        />
        {cards.length > 0 && (
          <DecisionButtons
            disabled={!top}
            lastPass={deck.lastPass}
            onDecide={choose}
            onUndo={onUndo}
            superLikes={superLikesLeft(allowance)}
          />
        )}
        <KeysHint />
      </fieldset>
      {sheets}
    </DeckFrame>
  );
}

/**
 * What opens over the deck: the details of a member, and the comment with a like of one photo or answer. `details` are also
 * shown beside the cards of a wide screen.
 */
function useSheets(
  member: Candidate | undefined,
  isWide: boolean,
  allowance: LikeAllowance | null,
  onLike: ComponentProps<typeof LikeSheet>['onLike'],
) {
  const [areDetailsOpen, setDetailsOpen] = useState(false);
  const [target, setTarget] = useState<LikeTarget | null>(null);
  // So that the sheet opens with its contents.
  useEffect(() => void whenIdle().then(MoreAbout.preload), []);

  // A paused member reads so before writing a comment.
  function openLike(like: LikeTarget) {
    if (!refusePaused()) setTarget(like);
  }

  function closeSheets() {
    setDetailsOpen(false);
    setTarget(null);
  }

  const details = member && (
    <Suspense fallback={<Skeleton className="h-72" />}>
      <MoreAbout key={member.id} member={member} onDemand={isWide} onLike={openLike} />
    </Suspense>
  );
  const sheets = member && (
    <>
      <Sheet
        onClose={() => setDetailsOpen(false)}
        open={areDetailsOpen}
        title={`More About ${member.firstName}`}
      >
        {details}
      </Sheet>
      {target && (
        <Suspense fallback={null}>
          <LikeSheet
            allowance={allowance}
            member={member}
            onClose={() => setTarget(null)}
            onLike={onLike}
            target={target}
          />
        </Suspense>
      )}
    </>
  );
  return { details, sheets, openDetails: () => setDetailsOpen(true), openLike, closeSheets };
}

/**
 * Returns a function that decides about the top card, and whether it has done so. `onChosen` gets what screen readers
 * announce.
 */
function useChoose(
  { cards, shown, commit }: DeckState,
  stack: RefObject<HTMLElement | null>,
  allowance: LikeAllowance | null,
  onChosen: (spoken: string) => void,
) {
  return (decision: Decision, velocity?: Point, note?: LikeNote): boolean => {
    const top = shown[0]?.candidate;
    if (!top || (decision !== 'pass' && refusePaused())) return false;
    if (decision === 'super_like' && superLikesLeft(allowance) === 0) {
      void import('./allowanceText.ts').then(({ noSuperLikesLeft }) => toast(noSuperLikesLeft(allowance)));
      return false;
    }
    const next = cards[1]?.candidate;
    onChosen(`${SPOKEN[decision]} ${top.firstName}. ${next ? `Next: ${next.firstName}, ${next.age}.` : ''}`);
    // Read before the cards change: afterwards the browser would have to lay them out first.
    const card = { x: stack.current?.offsetWidth ?? 360, y: stack.current?.offsetHeight ?? 600 };
    commit(decision, { card, viewport: { x: innerWidth, y: innerHeight } }, velocity, note);
    return true;
  };
}

function handleKey(event: KeyboardEvent, onDecide: (decision: Decision) => void, onUndo: () => void): void {
  const action = deckActionOf(event);
  if (!action) return;
  event.preventDefault();
  if (action === 'undo') onUndo();
  else onDecide(action);
}

/** The description of the deck for screen readers. */
const Help = () => (
  <p className="sr-only" id="deck-help">
    Press the right arrow key to like, the left arrow key to pass, S to super like and Z to undo a pass. The
    keys work while the focus is in here. You can also swipe: right, left or up.
  </p>
);

/** Names the keys. Hidden from screen readers, which read the description of the deck. */
const KeysHint = () => (
  <p
    aria-hidden="true"
    className="mt-4 hidden text-center text-muted text-sm md:pointer-fine:block short:hidden"
  >
    With the cards in focus: ← Pass · S Super like · → Like · Z Undo
  </p>
);

/** Moves the focus to the deck when the focused element becomes inert with its card, or disabled. */
function useFocusInDeck(group: RefObject<HTMLElement | null>, card: string | undefined): void {
  const before = useRef(card);
  useEffect(() => {
    if (before.current !== card && document.activeElement?.closest('[inert]'))
      group.current?.focus({ preventScroll: true });
    before.current = card;
  }, [group, card]);
  // In the commit that disables a focused button, such as Undo after the last undo: the browser then drops its focus.
  useLayoutEffect(() => {
    const focused = document.activeElement;
    if (focused?.matches(':disabled') && group.current?.contains(focused))
      group.current.focus({ preventScroll: true });
  });
}

type StackProps = { deck: DeckState; ref: RefObject<HTMLDivElement | null> } & Pick<
  ComponentProps<typeof DeckCard>,
  'onDecide' | 'onLikePhoto' | 'onMore'
>;

/**
 * The exiting cards, the top card and those behind it; a skeleton while a picture loads. A card that comes to the back is
 * drawn a moment later, in slices, so that a slow phone begins the exit of the top card at once.
 */
function Stack({ deck, ref, ...handlers }: StackProps) {
  const { cards, shown, exiting, removeExited } = deck;
  // The first card is shown with its picture before the animation library is loaded.
  const canMove = useLoaded(CardMover, whenIdle, shown.length > 0);
  const requested = useRequested();
  const drawn = useDeferredValue(shown.map(({ id }) => id).join(' ')).split(' ');
  const stack = [
    ...exiting.map((card) => ({ row: card.row, depth: 0, exiting: card })),
    ...shown
      .map((row, depth) => ({ row, depth, exiting: null }))
      .filter(({ row, depth }) => depth === 0 || drawn.includes(row.id)),
  ];
  return (
    <div className="relative mb-[36px] deck-height short:mb-6 short:flex-1" ref={ref}>
      {shown.length === 0 && cards.length > 0 && (
        <div aria-label="Loading the next photo" className="absolute inset-0" role="status">
          <Skeleton className="size-full rounded-card" />
        </div>
      )}
      {stack.map((card) => (
        <DeckCard
          canMove={canMove}
          depth={card.depth}
          key={card.row.id}
          exiting={card.exiting}
          member={card.row.candidate}
          {...handlers}
          isRequested={requested.has(card.row.id)}
          onExited={removeExited}
          returned={card.depth === 0 && deck.isReturned(card.row.id)}
        />
      ))}
    </div>
  );
}

/** One column on phones; from 1024 px on the details are shown beside the cards instead of in a sheet. */
function DeckFrame({
  isWide,
  panel,
  panelFor,
  children,
}: {
  isWide: boolean;
  panel: ReactNode;
  panelFor?: Candidate;
  children: ReactNode;
}) {
  return (
    // Clipped at the sides, so that an exiting card does not widen the page.
    <div className="-mx-[16px] -my-4 overflow-x-clip px-[16px] py-4">
      <div className="mx-auto grid max-w-md gap-10 lg:max-w-none lg:grid-cols-[420px_minmax(0,1fr)]">
        <div className="min-w-0">{children}</div>
        {/* Not only hidden on a phone, which would draw the details of each card after a swipe. */}
        {isWide && panelFor && (
          <section
            aria-label={`More About ${panelFor.firstName}`}
            className="deck-panel-height overflow-y-auto card p-6"
            key={panelFor.id}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the keyboard can scroll it
            tabIndex={0}
          >
            <h2 className="mb-4 font-display font-semibold text-xl">More About {panelFor.firstName}</h2>
            {panel}
          </section>
        )}
      </div>
    </div>
  );
}
