import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Candidate } from '@/api/types.ts';
import { Sheet } from '@/ui';
import { DecisionButtons } from './DecisionButtons.tsx';
import { DeckCard } from './DeckCard.tsx';
import { STACK, type useDeck } from './deck.ts';
import type { Decision, Point } from './gesture.ts';
import { MoreAbout } from './MoreAbout.tsx';
import { prefetch } from './prefetch.ts';

const shortcuts: Record<string, Decision> = { ArrowRight: 'like', ArrowLeft: 'pass', ArrowUp: 'super_like' };
const done: Record<Decision, string> = { like: 'Liked', pass: 'Passed on', super_like: 'Super liked' };
/** How many photos beyond the cards in sight are fetched ahead. */
const AHEAD = 4;

/** A key typed into a field or a dialog, or held down, is not meant for the deck. */
function meantForDeck(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.altKey || event.ctrlKey || event.metaKey) return false;
  if (document.querySelector('dialog[open]')) return false;
  return !(event.target instanceof Element && event.target.closest('input, textarea, select, [role="tab"]'));
}

/** The cards with everything that decides on them: finger, buttons, keys. */
export function Deck({ deck }: { deck: ReturnType<typeof useDeck> }) {
  const { cards, leaving, decide, gone } = deck;
  const group = useRef<HTMLFieldSetElement>(null);
  const [more, setMore] = useState(false);
  const [said, setSaid] = useState('');
  const top = cards[0]?.candidate;
  const shown = [
    ...leaving.map((card) => ({ row: card.row, depth: 0, leaving: card })),
    ...cards.slice(0, STACK).map((row, depth) => ({ row, depth, leaving: null })),
  ];

  function choose(decision: Decision, velocity?: Point) {
    const next = cards[1]?.candidate;
    if (!top) return;
    setMore(false);
    setSaid(`${done[decision]} ${top.firstName}. ${next ? `Next: ${next.firstName}, ${next.age}.` : ''}`);
    // The card takes its buttons with it: keep the keyboard in the deck.
    const focused = document.activeElement;
    if (focused?.closest('[data-testid="top-card"]')) group.current?.focus({ preventScroll: true });
    decide(decision, velocity);
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const decision = shortcuts[event.key];
    if (!decision || !meantForDeck(event)) return;
    event.preventDefault();
    choose(decision);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);

  const upcoming = cards
    .slice(STACK, STACK + AHEAD)
    .map((row) => row.candidate.photos[0]?.url)
    .join(' ');
  useEffect(() => prefetch(upcoming.split(' ')), [upcoming]);

  return (
    <DeckFrame panel={top && <MoreAbout member={top} />} panelFor={top}>
      <fieldset
        aria-describedby="deck-help"
        aria-label="Matches for you"
        className="outline-offset-8 short:flex short:items-center short:gap-6"
        ref={group}
        tabIndex={-1}
      >
        <p className="sr-only" id="deck-help">
          Press the right arrow key to like, the left arrow key to pass and the up arrow key to super like.
          You can also swipe: right, left or up.
        </p>
        <div className="relative mb-9 h-[min(600px,calc(100dvh-16.25rem-var(--offline-strip,0px)-env(safe-area-inset-top)-env(safe-area-inset-bottom)))] min-h-72 md:h-[min(600px,calc(100dvh-18.75rem-var(--offline-strip,0px)))] short:mb-6 short:h-[calc(100dvh-9.5rem-var(--offline-strip,0px))] short:min-h-48 short:flex-1">
          {shown.map((card) => (
            <DeckCard
              depth={card.depth}
              key={card.row.id}
              leaving={card.leaving}
              member={card.row.candidate}
              onDecide={choose}
              onGone={gone}
              onMore={() => setMore(true)}
            />
          ))}
        </div>
        {top && <DecisionButtons onDecide={choose} />}
        <p
          aria-hidden="true"
          className="mt-4 hidden text-center text-muted text-sm md:pointer-fine:block short:hidden"
        >
          ← Pass · ↑ Super like · → Like
        </p>
        <p aria-live="polite" className="sr-only">
          {said}
        </p>
      </fieldset>
      {top && (
        <Sheet onClose={() => setMore(false)} open={more} title={`More About ${top.firstName}`}>
          <MoreAbout member={top} />
        </Sheet>
      )}
    </DeckFrame>
  );
}

/** One column on phones; from 1024 px on what the sheet holds lies open beside the cards. */
function DeckFrame({
  panel,
  panelFor,
  children,
}: {
  panel: ReactNode;
  panelFor?: Candidate;
  children: ReactNode;
}) {
  return (
    // Clipped at the sides, so that a card on its way out does not widen the page.
    <div className="-mx-4 -my-4 overflow-x-clip px-4 py-4">
      <div className="mx-auto grid max-w-md gap-10 lg:max-w-none lg:grid-cols-[420px_minmax(0,1fr)]">
        <div className="min-w-0">{children}</div>
        {panelFor && (
          <section
            aria-label={`More About ${panelFor.firstName}`}
            className="hidden max-h-[min(712px,calc(100dvh-12.5rem))] overflow-y-auto card p-6 lg:block"
            key={panelFor.id}
          >
            <h2 className="mb-4 font-display font-semibold text-xl">More About {panelFor.firstName}</h2>
            {panel}
          </section>
        )}
      </div>
    </div>
  );
}
