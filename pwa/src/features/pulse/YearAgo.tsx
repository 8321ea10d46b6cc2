import { ChevronDown } from 'lucide-react';
import { formatLong } from './day.ts';
import { EntryText } from './EntryText.tsx';
import { useLookBack } from './pulse.ts';

/** What the member wrote a year ago, closed at first: not every day of then is welcome today. Nothing without an entry. */
export function YearAgo({ date }: { date: string }) {
  const { data: entry } = useLookBack(date);
  if (!entry) return null;
  return (
    <details className="card group px-5">
      <summary className="flex min-h-14 cursor-pointer list-none items-center gap-3 py-3 [&::-webkit-details-marker]:hidden">
        <div>
          <h2 className="font-display font-semibold text-lg">A year ago today</h2>
          <p className="text-muted text-sm group-open:hidden">You wrote something. Open it if you like.</p>
        </div>
        <ChevronDown
          aria-hidden="true"
          className="ms-auto size-5 shrink-0 text-muted transition-transform group-open:rotate-180"
        />
      </summary>
      <p className="text-muted text-sm">{formatLong(date)}</p>
      <EntryText className="mt-1 pb-5" entry={entry} />
    </details>
  );
}
