import { CalendarHeart, Clock, MapPin } from 'lucide-react';
import type { PlannedDate } from '@/api/types.ts';
import { useMinute } from '@/base/now.ts';
import { deviceTimeZone } from '@/base/timeZone.ts';
import { Badge, type Tone } from '@/ui';
import { DateActions } from './DateActions.tsx';
import { awaitsResponse, isFeedbackDue, isOpen } from './dates.ts';
import { FeedbackCard } from './FeedbackCard.tsx';
import { dayOf, sameClock, timeOf, timeWithZone, townOf } from './zonedTime.ts';

/** One date with its actions. */
export function DateCard({ date }: { date: PlannedDate }) {
  useMinute(); // what can be done with it changes at its time
  return (
    <section aria-label={`Date with ${date.user.firstName}`} data-testid="date-card">
      <StatusBadge date={date} />
      <h3 className="mt-2 flex items-start gap-2 font-display font-semibold text-lg leading-6 [overflow-wrap:anywhere]">
        <MapPin aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ember-strong" />
        {date.place}
      </h3>
      <DateTime date={date} />
      {date.note && (
        <p className="mt-2 whitespace-pre-wrap ps-7 text-sm [overflow-wrap:anywhere]">{date.note}</p>
      )}
      <DateActions date={date} />
      {(date.feedback || isFeedbackDue(date)) && <FeedbackCard date={date} />}
    </section>
  );
}

function statusOf(date: PlannedDate): { label: string; tone: Tone } {
  if (date.status === 'declined') return { label: 'Declined', tone: 'neutral' };
  if (date.status === 'cancelled') return { label: 'Called off', tone: 'neutral' };
  // A newer server may send a status that this version does not know.
  if (date.status !== 'proposed' && date.status !== 'accepted') return { label: 'Changed', tone: 'neutral' };
  if (!isOpen(date))
    return { label: date.status === 'accepted' ? 'Past date' : 'Never answered', tone: 'neutral' };
  if (date.status === 'accepted') return { label: "It's a date", tone: 'sage' };
  if (awaitsResponse(date)) return { label: 'Waiting for you', tone: 'marigold' };
  return { label: `Waiting for ${date.user.firstName}`, tone: 'plum' };
}

function StatusBadge({ date }: { date: PlannedDate }) {
  const { label, tone } = statusOf(date);
  return (
    <Badge tone={tone}>
      <CalendarHeart aria-hidden="true" className="size-4" />
      {label}
    </Badge>
  );
}

/** The date's time in its own zone, and in the device's zone if that differs. */
function DateTime({ date: { at, timeZone } }: { date: PlannedDate }) {
  const deviceZone = deviceTimeZone();
  const isSameTime = sameClock(at, timeZone, deviceZone);
  return (
    <p className="mt-1.5 flex items-start gap-2 text-sm">
      <Clock aria-hidden="true" className="size-5 shrink-0 text-ember-strong" />
      <span>
        <time className="block font-medium" dateTime={at}>
          <span className="inline-block">{dayOf(at, timeZone)},</span>{' '}
          <span className="inline-block">
            {isSameTime ? timeOf(at, timeZone) : timeWithZone(at, timeZone)}
          </span>
        </time>
        {!isSameTime && (
          <span className="block text-muted">
            {townOf(timeZone)} time. For you it is {dayOf(at, deviceZone)}, {timeOf(at, deviceZone)}.
          </span>
        )}
      </span>
    </p>
  );
}
