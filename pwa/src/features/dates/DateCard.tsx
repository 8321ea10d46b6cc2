import { CalendarHeart, Clock, MapPin } from 'lucide-react';
import type { PlannedDate } from '@/api/types.ts';
import { Badge, type Tone } from '@/ui';
import { DateActions } from './DateActions.tsx';
import { isAsked, isFeedbackDue, isOpen } from './dates.ts';
import { MetCard } from './MetCard.tsx';
import { dayOf, ownZone, sameClock, timeOf, timeWithZone, townOf } from './when.ts';

/** One date, with what the member can do about it now. */
export function DateCard({ date }: { date: PlannedDate }) {
  return (
    <section aria-label={`Date with ${date.user.firstName}`} data-testid="date-card">
      <Standing date={date} />
      <h3 className="mt-2 flex items-start gap-2 font-display font-semibold text-lg leading-6 [overflow-wrap:anywhere]">
        <MapPin aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ember-strong" strokeWidth={1.75} />
        {date.place}
      </h3>
      <Moment date={date} />
      {date.note && (
        <p className="mt-2 whitespace-pre-wrap pl-7 text-sm [overflow-wrap:anywhere]">{date.note}</p>
      )}
      <DateActions date={date} />
      {(date.feedback || isFeedbackDue(date)) && <MetCard date={date} />}
    </section>
  );
}

function standing(date: PlannedDate): { words: string; tone: Tone } {
  if (date.status === 'declined') return { words: 'Declined', tone: 'neutral' };
  if (date.status === 'cancelled') return { words: 'Called off', tone: 'neutral' };
  // A status that only a newer server knows.
  if (date.status !== 'proposed' && date.status !== 'accepted') return { words: 'Changed', tone: 'neutral' };
  if (!isOpen(date))
    return { words: date.status === 'accepted' ? 'Past date' : 'Never answered', tone: 'neutral' };
  if (date.status === 'accepted') return { words: "It's a date", tone: 'sage' };
  if (isAsked(date)) return { words: 'Waiting for you', tone: 'marigold' };
  return { words: `Waiting for ${date.user.firstName}`, tone: 'plum' };
}

function Standing({ date }: { date: PlannedDate }) {
  const { words, tone } = standing(date);
  return (
    <Badge tone={tone}>
      <CalendarHeart aria-hidden="true" className="size-4" strokeWidth={1.75} />
      {words}
    </Badge>
  );
}

/** By the clock of where it was planned; whoever is elsewhere is told their own as well. */
function Moment({ date: { at, timeZone } }: { date: PlannedDate }) {
  const own = ownZone();
  const here = sameClock(at, timeZone, own);
  return (
    <p className="mt-1.5 flex items-start gap-2 text-sm">
      <Clock aria-hidden="true" className="size-5 shrink-0 text-ember-strong" strokeWidth={1.75} />
      <span>
        <time className="block font-medium" dateTime={at}>
          <span className="inline-block">{dayOf(at, timeZone)},</span>{' '}
          <span className="inline-block">{here ? timeOf(at, timeZone) : timeWithZone(at, timeZone)}</span>
        </time>
        {!here && (
          <span className="block text-muted">
            {townOf(timeZone)} time. For you it is {dayOf(at, own)}, {timeOf(at, own)}.
          </span>
        )}
      </span>
    </p>
  );
}
