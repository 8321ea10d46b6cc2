/** The reasons of a report, as the API's values with labels, in groups: danger first. */
import type { ReportReason } from '@/api/types.ts';

export type Reason = {
  value: ReportReason;
  label: string;
  /** Emergency contacts for this reason. */
  help?: string;
};

const danger = 'If anyone is in danger now, call 911 or your local emergency number first.';

export const reasonGroups: { title: string; reasons: Reason[] }[] = [
  {
    title: 'Someone is in danger',
    reasons: [
      { value: 'threat', label: 'Threatens me or someone else', help: danger },
      {
        value: 'assault',
        label: 'Hurt me or someone else in person',
        help: `${danger} In the US you can also talk to RAINN at any hour: 800-656-4673.`,
      },
      { value: 'underage', label: 'May be under 18', help: danger },
      {
        value: 'nonconsensual_images',
        label: 'Shares intimate pictures without consent',
        help: `${danger} StopNCII.org helps to keep such pictures from spreading.`,
      },
    ],
  },
  {
    title: 'Their profile',
    reasons: [
      { value: 'fake_profile', label: "Fake profile or someone else's photos" },
      { value: 'not_single', label: 'Is not single' },
      { value: 'spam', label: 'Spam or advertising' },
    ],
  },
  {
    title: 'What they do',
    reasons: [
      { value: 'inappropriate', label: 'Sexual or offensive photos or messages' },
      { value: 'harassment', label: 'Rude, insulting or pushy' },
      { value: 'scam', label: 'Asks for money or seems to be a scam' },
      { value: 'hate', label: 'Hate or discrimination' },
      { value: 'other', label: 'Something else' },
    ],
  },
];
