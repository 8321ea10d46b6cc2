/** The kinds of entries in the queue: the screen and the labels of each, and its decisions on several entries at once. */
import type { ReactNode } from 'react';
import type { QueueEntry, ReportReason, RowResult } from '@/api/types.ts';
import { AppealEntry } from './AppealEntry.tsx';
import {
  flagCategoryLabels,
  issueLabels,
  reasonLabels,
  SECOND_ACCOUNT_LABEL,
  sanctionLabels,
} from './adminLabels.ts';
import {
  decideEach,
  decideFlag,
  decideProfileReviews,
  decideReport,
  type ProfileDecision,
} from './adminRequests.ts';
import { BirthDateEntry } from './BirthDateEntry.tsx';
import type { BulkChoice } from './BulkDecision.tsx';
import { CommentEntry, bulkChoices as commentChoices } from './CommentReviews.tsx';
import { type CommentDecision, decideCommunity, type PostDecision } from './communityRequests.ts';
import { FlagEntry } from './FlagEntry.tsx';
import { flagChoices } from './Flags.tsx';
import { CoupleEntry } from './Graduations.tsx';
import { PostEntry, bulkChoices as postChoices } from './Posts.tsx';
import { ProfileEntry } from './ProfileEntry.tsx';
import { profileChoices } from './Profiles.tsx';
import type { QueueKind, Read } from './queueRequests.ts';
import { ReportEntry } from './ReportEntry.tsx';
import { reportChoices } from './Reports.tsx';
import { VerificationEntry } from './Verifications.tsx';

type Kind = {
  label: string;
  noun: { one: string; many: string };
  Entry: (props: { id: string }) => ReactNode;
  bulk?: {
    choices: BulkChoice<string>[];
    /** `opened` is what of the entries was opened here. */
    decide: (
      ids: string[],
      value: string,
      reason: string,
      opened: ReadonlyMap<string, Read | null>,
    ) => Promise<RowResult[]>;
  };
};

const decideRead = (ids: string[], value: string, reason: string, opened: ReadonlyMap<string, Read | null>) =>
  decideCommunity(
    ids.flatMap((id) => (opened.get(id) as Parameters<typeof decideCommunity>[0][number] | null) ?? []),
    value as PostDecision | CommentDecision,
    reason,
  );

export const queueKinds: Record<QueueKind, Kind> = {
  report: {
    label: 'Reports',
    noun: { one: 'report', many: 'reports' },
    Entry: ReportEntry,
    bulk: {
      choices: reportChoices,
      decide: (ids, _, reason) =>
        decideEach(ids, (id) => decideReport(id, { decision: 'no_action', reason })),
    },
  },
  flag: {
    label: 'Flagged messages',
    noun: { one: 'message', many: 'messages' },
    Entry: FlagEntry,
    bulk: {
      choices: flagChoices,
      decide: (ids, _, reason) => decideEach(ids, (id) => decideFlag(id, { decision: 'dismiss', reason })),
    },
  },
  appeal: { label: 'Appeals', noun: { one: 'appeal', many: 'appeals' }, Entry: AppealEntry },
  verification: {
    label: 'Selfies',
    noun: { one: 'selfie', many: 'selfies' },
    Entry: VerificationEntry,
  },
  profile: {
    label: 'Profiles',
    noun: { one: 'profile', many: 'profiles' },
    Entry: ProfileEntry,
    bulk: {
      choices: profileChoices,
      decide: (ids, value, reason) => decideProfileReviews(ids, value as ProfileDecision, reason),
    },
  },
  graduation: { label: 'Graduations', noun: { one: 'couple', many: 'couples' }, Entry: CoupleEntry },
  post: {
    label: 'Stories',
    noun: { one: 'story', many: 'stories' },
    Entry: PostEntry,
    bulk: { choices: postChoices, decide: decideRead },
  },
  comment: {
    label: 'Comments',
    noun: { one: 'comment', many: 'comments' },
    Entry: CommentEntry,
    bulk: { choices: commentChoices, decide: decideRead },
  },
  birth_date: { label: 'Birthdays', noun: { one: 'birthday', many: 'birthdays' }, Entry: BirthDateEntry },
};

const ISSUE = 'issue_';

/** Returns what an entry is about, such as "Threat" of a report. */
export function describeEntry({ kind, why }: Pick<QueueEntry, 'kind' | 'why'>): string {
  const category = flagCategoryLabels[why as keyof typeof flagCategoryLabels];
  switch (kind) {
    case 'report':
      if (why === 'second_account') return SECOND_ACCOUNT_LABEL;
      return why.startsWith(ISSUE)
        ? issueLabels[why.slice(ISSUE.length) as keyof typeof issueLabels]
        : reasonLabels[why as ReportReason];
    case 'flag':
      return category ?? 'Bothers the recipient';
    case 'appeal':
      return `Against a ${sanctionLabels[why as keyof typeof sanctionLabels].toLowerCase()}`;
    case 'verification':
      return 'To compare with the photos';
    case 'profile':
      return why === 'photo' ? 'New first photo' : 'New profile';
    case 'graduation':
      return 'Graduation';
    case 'post':
      return category ?? 'To be published';
    case 'comment':
      return category ?? 'To be shown';
    case 'birth_date':
      return 'Another birthday';
  }
}
