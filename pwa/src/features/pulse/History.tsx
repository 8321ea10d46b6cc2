import { Clock } from 'lucide-react';
import { useState } from 'react';
import { useDb } from '@/offline/store/cached.ts';
import { Button, useAction } from '@/ui';
import { formatLong } from './day.ts';
import { EntryText } from './EntryText.tsx';
import { discardPulse, fetchOlder, type ShownEntry } from './pulse.ts';

/** The entries that are listed at first. */
const RECENT = 7;
const STEP = 20;

type HistoryProps = { entries: readonly ShownEntry[]; hasMore: boolean };

/** The member's entries, the newest first: seven at first, more on request. */
export function History({ entries, hasMore }: HistoryProps) {
  const db = useDb();
  const [count, setCount] = useState(RECENT);
  const isCut = entries.length > count;

  const [showMore, { isBusy }] = useAction(async () => {
    try {
      if (entries.length < count + STEP && hasMore) await fetchOlder(db);
    } catch (failure) {
      // The rest of what is stored is shown without a connection.
      if (!isCut) throw failure;
    }
    setCount(count + STEP);
  });

  return (
    <section aria-labelledby="pulse-history" className="card p-5">
      <h2 className="font-display font-semibold text-lg" id="pulse-history">
        What you wrote
      </h2>
      {entries.length === 0 ? (
        <p className="mt-2 text-muted">Your answers will be here.</p>
      ) : (
        <ol className="mt-1 divide-y divide-line">
          {entries.slice(0, count).map((entry) => (
            <li className="py-4" key={entry.date}>
              <p className="flex items-center gap-1.5 text-muted text-sm">
                {formatLong(entry.date)}
                {entry.state === 'waiting' && (
                  <Clock aria-label="waiting to be sent" className="size-4" role="img" />
                )}
              </p>
              <EntryText className="mt-1" entry={entry} />
              {entry.state === 'failed' && <Failed entry={entry} />}
            </li>
          ))}
        </ol>
      )}
      {(isCut || hasMore) && (
        <Button busy={isBusy} className="mt-2" onClick={showMore} variant="secondary">
          Show more
        </Button>
      )}
    </section>
  );
}

function Failed({ entry }: { entry: ShownEntry }) {
  const db = useDb();
  return (
    <div className="mt-2 rounded-control bg-danger-soft p-3 text-sm">
      <p>This was not saved. {entry.reason}</p>
      <Button
        className="mt-2"
        onClick={() => void discardPulse(db, entry.date)}
        size="sm"
        variant="secondary"
      >
        Discard it
      </Button>
    </div>
  );
}
