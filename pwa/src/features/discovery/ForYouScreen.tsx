import { RefreshCw } from 'lucide-react';
import { Button, DeckSkeleton, EmptyState, ErrorState, IconButton, Screen, toast } from '@/ui';
import { Deck } from './Deck.tsx';
import { useDeck } from './deck.ts';

/** The deck: one member at a time, best fit first. */
export default function ForYouScreen() {
  const deck = useDeck();
  const { feed, cards, leaving, position, total } = deck;

  async function restart() {
    const { error } = await deck.restart();
    if (error)
      toast({ title: 'Failed to fetch matches', description: error.message, variant: 'destructive' });
  }

  const present = cards.length > 0 || leaving.length > 0;
  return (
    <Screen
      actions={
        <>
          {cards.length > 0 && (
            <p className="shrink-0 text-muted text-sm tabular-nums">
              {position} of {total} matches
            </p>
          )}
          <IconButton
            aria-busy={feed.refreshing}
            className={feed.refreshing ? '[&_svg]:animate-spinner' : ''}
            icon={RefreshCw}
            label="Refresh"
            onClick={restart}
          />
        </>
      }
      title="For You"
    >
      {present && <Deck deck={deck} />}
      {!present && feed.state === 'loading' && <DeckSkeleton />}
      {!present && feed.state === 'error' && <ErrorState onRetry={restart} title="Failed to fetch matches" />}
      {!present && (feed.state === 'empty' || feed.state === 'ready') && (
        <EmptyState
          action={
            <Button busy={feed.refreshing} onClick={restart}>
              Find More Matches
            </Button>
          }
          art="hearts"
          text="You have seen everyone for now. New people join every day."
          title="No More Matches"
        />
      )}
    </Screen>
  );
}
