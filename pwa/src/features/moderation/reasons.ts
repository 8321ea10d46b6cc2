/** The reasons of a report, as the API's values with labels, the most frequent first. */
import type { ReportReason } from '@/api/types.ts';

export type Reason = {
  value: ReportReason;
  label: string;
  /** Emergency contacts for this reason. */
  help?: string;
};

const danger = 'If anyone is in danger now, call 911 or your local emergency number first.';

export const reasons: Reason[] = [
  { value: 'fake_profile', label: "Fake profile or someone else's photos" },
  { value: 'inappropriate', label: 'Sexual or offensive photos or messages' },
  { value: 'harassment', label: 'Rude, insulting or pushy' },
  { value: 'scam', label: 'Asks for money or seems to be a scam' },
  { value: 'spam', label: 'Spam or advertising' },
  { value: 'not_single', label: 'Is not single' },
  { value: 'hate', label: 'Hate or discrimination' },
  { value: 'underage', label: 'May be under 18', help: danger },
  { value: 'threat', label: 'Threatens me or someone else', help: danger },
  {
    value: 'assault',
    label: 'Hurt me or someone else in person',
    help: `${danger} In the US you can also talk to RAINN at any hour: 800-656-4673.`,
  },
  {
    value: 'nonconsensual_images',
    label: 'Shares intimate pictures without consent',
    help: `${danger} StopNCII.org helps to keep such pictures from spreading.`,
  },
  { value: 'other', label: 'Something else' },
];

/** Returns "within 1 hour" or "within 72 hours". */
export function withinHours(hours: number): string {
  return `within ${hours} ${hours === 1 ? 'hour' : 'hours'}`;
}
