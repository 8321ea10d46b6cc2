import { formatTime } from '@/base/format.ts';

/**
 * Returns the text for a member who was shown as many people as a day allows, with the time from which others are
 * shown; null without such a time, and when it is past.
 */
export function newPeopleText(newPeopleAt: string | null | undefined, now = new Date()): string | null {
  const then = newPeopleAt ? new Date(newPeopleAt) : null;
  if (!then || then <= now) return null;
  const day = then.getDate() === now.getDate() ? 'today' : 'tomorrow';
  return `You have seen as many people as we show in a day. The limit keeps anyone from copying everyone’s profile. New people come again ${day} at ${formatTime(then)}.`;
}
