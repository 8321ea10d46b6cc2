import { useSyncExternalStore } from 'react';

const locale = 'en-US';
const date = new Intl.DateTimeFormat(locale, { month: 'long', day: 'numeric', year: 'numeric' });
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long' });

/** Returns "9:05 PM", in the device's time zone. */
export function formatTime(value: string | Date): string {
  // Without Intl, which is too slow for every message that is drawn.
  const then = new Date(value);
  const hours = then.getHours();
  const minutes = String(then.getMinutes()).padStart(2, '0');
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** Returns "November 21, 2026". */
export function formatDate(value: string | Date): string {
  return date.format(new Date(value));
}

/** Returns "Today", "Yesterday", "Tuesday" within a week, or "November 21, 2026". */
export function formatDay(value: string | Date, now: Date = new Date()): string {
  const then = new Date(value);
  const days = dayOf(now) - dayOf(then);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return days > 1 && days < 7 ? weekday.format(then) : formatDate(then);
}

function dayOf(value: Date): number {
  return Math.floor((value.getTime() - value.getTimezoneOffset() * 60_000) / 86_400_000);
}

/**
 * Returns "now", "5m ago", "2h ago", "Yesterday", "Tuesday", or the date; within a sentence "just now", "yesterday", "on
 * Tuesday", "on November 21, 2026".
 */
export function formatRelative(
  value: string | Date,
  now: Date = new Date(),
  { inSentence = false }: { inSentence?: boolean } = {},
): string {
  const then = new Date(value);
  const minutes = Math.floor((now.getTime() - then.getTime()) / 60_000);
  if (minutes < 1) return inSentence ? 'just now' : 'now';
  if (minutes < 60) return `${minutes}m ago`;
  const days = dayOf(now) - dayOf(then);
  if (days <= 0 || minutes < 6 * 60) return `${Math.floor(minutes / 60)}h ago`;
  if (days === 1) return inSentence ? 'yesterday' : 'Yesterday';
  const day = days < 7 ? weekday.format(then) : formatDate(then);
  return inSentence ? `on ${day}` : day;
}

let minute = Date.now();
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function watchMinute(tick: () => void): () => void {
  watchers.add(tick);
  timer ??= setInterval(() => {
    minute = Date.now();
    for (const watcher of watchers) watcher();
  }, 60_000);
  return () => {
    watchers.delete(tick);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** A relative time, updated every minute by one timer for all instances. */
export function RelativeTime({
  value,
  className,
  inSentence,
}: {
  value: string | Date;
  className?: string;
  /** It follows other text, as in "Passed yesterday". */
  inSentence?: boolean;
}) {
  useSyncExternalStore(watchMinute, () => minute);
  const then = new Date(value);
  return (
    <time
      className={className}
      dateTime={then.toISOString()}
      title={`${formatDate(then)}, ${formatTime(then)}`}
    >
      {formatRelative(then, new Date(), { inSentence })}
    </time>
  );
}
