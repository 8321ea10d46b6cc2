import { type ReactNode, useEffect } from 'react';
import { fetchDate } from '@/domain/plannedDates.ts';
import { useDb } from '@/offline/store/cached.ts';
import type { MessageRow } from '@/offline/store/rows.ts';
import { DateCard } from './DateCard.tsx';
import { useDate } from './dates.ts';

type DateMessageProps = { row: MessageRow & { dateId: string }; text: ReactNode };

/**
 * A message about a date. The newest one shows the date's card; earlier ones, and those whose date is not on the device,
 * show `text`.
 */
export function DateMessage({ row, text }: DateMessageProps) {
  const db = useDb();
  const date = useDate(row.dateId);
  const { dateId } = row;
  const seq = row.seq ?? 0;
  // The stored date is older than the thread's newest message about it.
  const isStale = date === null || (date !== undefined && date.messageSeq < seq);
  useEffect(() => {
    if (isStale) void fetchDate(db, dateId).catch(() => undefined);
  }, [isStale, dateId, db]);
  if (!date || date.messageSeq !== seq) return text;
  return (
    <div className="my-1 whitespace-normal text-ink" data-card>
      <DateCard date={date} />
    </div>
  );
}
