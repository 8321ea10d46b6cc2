/** The labels of the API's values. */

import type {
  AppealDecision,
  EvidenceFile,
  Flag,
  Ground,
  ListedMember,
  PostCategory,
  ProfilePart,
  QueuedReport,
  ReportDecision,
  ReportReason,
  Sanction,
} from '@/api/types.ts';
import { formatDate } from '@/base/format.ts';
import type { Tone } from '@/ui';

export const reasonLabels: Record<ReportReason, string> = {
  underage: 'May be under 18',
  threat: 'Threat',
  assault: 'Assault',
  nonconsensual_images: 'Images without consent',
  scam: 'Scam or money',
  hate: 'Hate or discrimination',
  harassment: 'Harassment',
  fake_profile: 'Fake profile',
  not_single: 'Not single',
  inappropriate: 'Sexual or offensive',
  spam: 'Spam or advertising',
  other: 'Something else',
};

export const placeLabels: Record<QueuedReport['place'], string> = {
  card: 'a card',
  profile: 'their profile',
  match: 'a match',
  conversation: 'a conversation',
  likes: 'the likes',
  post: 'a post',
  comment: 'a comment',
  rules: 'the community rules',
};

export const issueLabels: Record<NonNullable<QueuedReport['issueKind']>, string> = {
  safety: 'Issue: safety',
  technical: 'Issue: something does not work',
  account: 'Issue: an account',
  community: 'Issue: the community',
  other: 'Issue: something else',
};

export const SECOND_ACCOUNT_LABEL = 'May be a second account';

/** Returns the title of a report: its reason, or what an issue is about. */
export function describeReport({
  issueKind,
  reason,
  source,
}: Pick<QueuedReport, 'issueKind' | 'reason' | 'source'>): string {
  if (source === 'block') return SECOND_ACCOUNT_LABEL;
  return issueKind ? issueLabels[issueKind] : reasonLabels[reason];
}

export const postCategoryLabels: Record<PostCategory, string> = {
  blog: 'Blog',
  'community-story': 'Community Story',
  advice: 'Advice',
  experience: 'Experience',
};

/** The rules that a decision can name. */
export const groundLabels: Record<Ground, string> = {
  rules: 'The community rules',
  underage: 'Members are 18 or older',
  threat: 'No threats',
  assault: 'No violence',
  nonconsensual_images: 'No intimate pictures without consent',
  scam: 'No asking for money, no scams',
  hate: 'No hate, no discrimination',
  harassment: 'Be kind: no insults, no pressure',
  fake_profile: 'Be yourself: own name and photos',
  not_single: 'Be honest about being single',
  inappropriate: 'No sexual or offensive pictures and messages',
  spam: 'No advertising',
  other: 'Another rule',
};

export const decisionLabels: Record<ReportDecision['decision'], string> = {
  no_action: 'No action',
  keep_apart: 'Kept apart',
  warn: 'Warning',
  remove: 'Parts removed',
  suspend: 'Suspension',
  ban: 'Ban',
  not_of_age: 'Not of age',
};

export const slotLabels: Record<NonNullable<EvidenceFile['slot']>, string> = {
  photo: 'Photo',
  header_banner: 'Banner',
  audio_greeting: 'Audio greeting',
  video_greeting: 'Video greeting',
  gallery_image: 'Gallery picture',
  gallery_video: 'Gallery video',
  prompt: 'Recorded answer',
  post: 'Picture of the post',
};

export const partLabels: Record<ProfilePart['part'], string> = {
  ...slotLabels,
  bio: 'Bio',
  love_reflection: 'What love means to them',
  occupation: 'Work',
};

export const flagCategoryLabels: Record<NonNullable<Flag['category']>, string> = {
  harassment: 'Harassment',
  sexual_pressure: 'Sexual pressure',
  money: 'Money',
  off_platform: 'Leaving the platform',
  spam: 'Spam or advertising',
};

export const flagSourceLabels: Record<Flag['source'], string> = {
  filter: 'Message filter',
  receiver: 'Recipient',
  external: 'External moderation',
};

type ProfileStatus = ListedMember['profileStatus'];

export const sanctionLabels: Record<Sanction['kind'], string> = {
  warning: 'Warning',
  removal: 'Removal of parts of the profile',
  suspension: 'Suspension',
  ban: 'Ban',
  review: 'Review',
  reinstatement: 'Reinstatement',
  reversal: 'Decision taken back',
};

export const appealOutcomeLabels: Record<AppealDecision['outcome'], string> = {
  upheld: 'The decision stays',
  lifted: 'The decision was taken back',
};

export const statusLabels: Record<ProfileStatus, string> = {
  active: 'Active',
  suspended: 'Suspended',
  under_review: 'Under review',
  leaving: 'Leaving',
};

export const statusTones: Record<ProfileStatus, Tone> = {
  active: 'sage',
  suspended: 'danger',
  under_review: 'marigold',
  leaving: 'neutral',
};

/** Returns the state of a profile, with the end of a suspension. */
export function describeStatus({
  profileStatus,
  suspendedUntil,
}: Pick<ListedMember, 'profileStatus' | 'suspendedUntil'>): string {
  if (profileStatus !== 'suspended') return statusLabels[profileStatus];
  return suspendedUntil ? `Suspended until ${formatDate(suspendedUntil)}` : 'Banned';
}

/** Returns "Ann Harper, 31, Portland", or "Deleted account". */
export function describeMember(member: { fullName: string; age: number; city: string } | null): string {
  return member ? `${member.fullName}, ${member.age}, ${member.city}` : 'Deleted account';
}

const MINUTE_MS = 60_000;

/** Returns a duration in its largest unit: "45 min", "3 h", "2 days". */
function describeDuration(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

/** Returns "Due in 45 min" or "Overdue by 3 h". */
export function describeDue(dueAt: string, now: Date = new Date()): { text: string; isOverdue: boolean } {
  const left = Date.parse(dueAt) - now.getTime();
  return left >= 0
    ? { text: `Due in ${describeDuration(left)}`, isOverdue: false }
    : { text: `Overdue by ${describeDuration(-left)}`, isOverdue: true };
}

/** The areas of the audit log, by the beginning of an action's name. */
export const auditAreas: [prefix: string, label: string][] = [
  ['report.', 'Reports'],
  ['appeal.', 'Appeals'],
  ['flag.', 'Flagged messages'],
  ['verification.', 'Verifications'],
  ['profile_review.', 'New profiles'],
  ['birth_date.', 'Birthdays'],
  ['graduation.', 'Graduations'],
  ['community_post.', 'Stories'],
  ['community_comment.', 'Comments'],
  ['member.', 'Members'],
  ['ban.', 'Bans'],
  ['settings.', 'Settings'],
  ['jobs.', 'Background jobs'],
  ['digest.', 'Weekly digest'],
  ['admin.', 'Rights of admins'],
];
