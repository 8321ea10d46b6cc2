import { type ReactNode, useEffect } from 'react';
import { getDb } from '@/offline/store/db.ts';
import type { MessageRow } from '@/offline/store/rows.ts';
import { fetchDate } from '@/offline/sync/dates.ts';
import { DateCard } from './DateCard.tsx';
import { useDate } from './dates.ts';

type DateMessageProps = { row: MessageRow & { dateId: string }; words: ReactNode };

/**
 * A message about a date. The newest one is the date itself; those before tell in words how it came to be, and so
 * does every one of which this device does not hold the date.
 */
export function DateMessage({ row, words }: DateMessageProps) {
  const date = useDate(row.dateId);
  const { dateId } = row;
  const seq = row.seq ?? 0;
  // A step that came while this device was away: the date is older than what the thread says of it.
  const behind = date === null || (date !== undefined && date.messageSeq < seq);
  useEffect(() => {
    if (behind) void fetchDate(getDb(), dateId).catch(() => undefined);
  }, [behind, dateId]);
  if (!date || date.messageSeq !== seq) return words;
  return (
    <div className="my-1 whitespace-normal text-ink" data-card>
      <DateCard date={date} />
    </div>
  );
}
