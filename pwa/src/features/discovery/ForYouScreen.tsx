import { RefreshCw } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { describeLoadError } from '@/api/client.ts';
import { formatCount } from '@/base/format.ts';
import { DeckSkeleton, ErrorState, IconButton, lazyWithRetry, Screen, useAction } from '@/ui';
import { Deck } from './Deck.tsx';
import { type DeckState, useDeck } from './deck.ts';

// Loaded lazily, so that the first card does not wait for it.
const EmptyDeck = lazyWithRetry(() => import('./EmptyDeck.tsx'));

/** The deck: one member at a time, best fit first, below a notice. */
export default function ForYouScreen({ actions, notice }: { actions?: ReactNode; notice?: ReactNode }) {
  const deck = useDeck();
  const [announcement, setAnnouncement] = useState('');
  const { feed, cards, exiting, lastPass } = deck;

  const [restart] = useAction(
    async () => {
      const { error } = await deck.restart();
      if (error) throw error;
    },
    { errorText: describeLoadError, errorTitle: 'Failed to fetch matches' },
  );

  async function undo() {
    const returned = await deck.undo();
    if (returned) setAnnouncement(`${returned.firstName} is back.`);
  }

  const hasCards = cards.length > 0 || exiting.length > 0;
  return (
    <Screen
      actions={
        <>
          {cards.length > 0 && <Position deck={deck} />}
          <IconButton
            aria-busy={feed.refreshing}
            className={feed.refreshing ? '[&_svg]:animate-spinner' : ''}
            icon={RefreshCw}
            label="Refresh"
            onClick={restart}
          />
          {actions}
        </>
      }
      title="For You"
    >
      {notice}
      {hasCards && <Deck deck={deck} onAnnounce={setAnnouncement} onUndo={undo} />}
      {!hasCards && feed.state === 'loading' && <DeckSkeleton />}
      {!hasCards && feed.state === 'error' && (
        <ErrorState onRetry={restart} text={describeLoadError(feed.error)} title="Failed to fetch matches" />
      )}
      {!hasCards && (feed.state === 'empty' || feed.state === 'ready') && (
        <Suspense>
          <EmptyDeck
            busy={feed.refreshing}
            newPeopleAt={feed.data?.newPeopleAt}
            onRestart={restart}
            onUndo={undo}
            passedName={lastPass?.firstName}
          />
        </Suspense>
      )}
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
    </Screen>
  );
}

/** The position of the top card among all. */
const Position = ({ deck: { position, total, more } }: { deck: DeckState }) => (
  <p className="shrink-0 @max-[14rem]:sr-only text-muted text-sm tabular-nums">
    {position} of {formatCount(total)}
    {more && '+'}
    {/* On the narrowest phones, and with large text, the title needs the space. */}
    <span className="@max-[20.5rem]:sr-only"> matches</span>
  </p>
);
