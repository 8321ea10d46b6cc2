/** The schemas of the API, under the app's names. */

import type { ErrorParams } from './errors.gen.ts';
import type { components } from './schema.gen.ts';

type Schemas = components['schemas'];

export type Photo = Schemas['Photo'];
export type Prompt = Schemas['Prompt'];
/** A topic with the questions that are suggested for it. */
export type PromptTopic = Schemas['PromptTopic'];

/** The signed-in member, with private fields. */
export type Me = Schemas['Me'];
export type Education = NonNullable<Me['education']>;
export type Religion = NonNullable<Me['religion']>;
export type Gender = NonNullable<Me['gender']>;
/** The name of a list of words that members choose from. */
export type WordList = Exclude<keyof Schemas['Options'], 'promptTopics' | '$schema'>;

/** The body of PATCH /api/users/me: only fields that are sent change; null clears a nullable field. */
export type MePatch = Partial<
  Pick<Me, Exclude<keyof Schemas['Changes'], 'age' | 'removedVoiceIds' | 'before'>>
> & {
  /** With prompts: the recorded answers to delete. */
  removedVoiceIds?: string[];
};

/** Another member, with public fields only. */
export type PublicMember = Schemas['PublicMember'];
/** The member's own profile as strangers get it. */
export type StrangerView = Schemas['StrangerView'];
export type Compatibility = Schemas['Compatibility'];
export type Candidate = Schemas['Candidate'];
/** What a card of the deck or the grid draws of a member. The rest comes with the profile. */
export type MemberCard = Omit<Candidate, 'activeToday' | 'isNew' | 'compatibility'>;

/** A voice or video recording of a member. */
export type Recording = Schemas['Recording'];

/** What the link "not me" of a mail has done. */
export type Disowned = Schemas['Disowned'];

/** The state of the export of the member's data. */
export type DataExport = Schemas['DataExport'];

/** The state of the member's verification. */
export type Verification = Schemas['Status'];

/** A town of the gazetteer. */
export type Place = Schemas['Place'];

/** The filters, for Discover and the settings. */
export type FilterSet = Omit<Schemas['FilterSet'], 'ageRange'> & { ageRange: [number, number] };
export type FilterPreview = Schemas['FilterPreview'];

/** The few fields of a member shown beside a match, a conversation or a name. */
export type UserCard = Schemas['UserCard'];
/** The changes since a device's sync cursor. */
export type SyncDelta = Schemas['Delta'];
export type Match = Schemas['Match'];
export type LikeResult = Schemas['LikeResult'];
export type LikeType = LikeResult['likeType'];
/** A like with its photo or prompt and its comment. */
/** The member's private note about a match. */
export type MatchNote = Schemas['Note'];
export type LikeNote = Schemas['LikeNote'];
/** A received like that the member has not answered. */
export type ReceivedLike = Schemas['ReceivedLike'];
export type ReportReason = Schemas['Report']['reason'];
/** The likes and super likes left today. */
export type LikeAllowance = Schemas['Allowance'];

export type Message = Schemas['Message'];
/** A picture, voice or video of a message. */
export type Attachment = Schemas['Attachment'];
export type ConversationSummary = Schemas['Conversation'];

/** A date that two members plan in their conversation. */
export type PlannedDate = Schemas['Date'];
/** A date as shown to visitors with its link. */
export type SharedDate = Schemas['SharedDate'];

/** An entry of the member's activity. */
export type ActivityItem = Schemas['Item'];
export type Notification = Schemas['Notification'];
export type UnreadCount = Schemas['UnreadCount'];

/** The results of the member's invitations. */
export type ReferralStats = Schemas['Stats'];
export type Referral = Schemas['Referral'];
export type Tier = Schemas['Tier'];
/** The theme and the frame of a profile page. */
export type Look = Schemas['Look'];

/** A report in the queue of the admins, without its contents. */
export type Standing = Schemas['Standing'];
export type OwnReport = Schemas['OwnReport'];
export type OwnDecision = Schemas['OwnDecision'];
export type QueuedAppeal = Schemas['QueuedAppeal'];
export type OpenedAppeal = Schemas['OpenedAppeal'];
export type AppealDecision = Schemas['DecideAppeal'];
export type QueuedReport = Schemas['QueuedReport'];
/** A report with its contents. */
export type OpenedReport = Schemas['OpenedReport'];
/** A flagged message in the queue of the admins, without its contents. */
export type QueuedFlag = Schemas['QueuedFlag'];
/** A flagged message with its context. */
export type Flag = Schemas['Flag'];
export type FlagDecision = Omit<Schemas['DecideFlag'], '$schema'>;
export type QueuedVerification = Schemas['QueuedVerification'];
export type PendingSelfie = Schemas['PendingSelfie'];
/** A profile or first photo in the queue of the moderators, without its contents. */
export type Moment = Schemas['Moment'];
export type MomentSubject = Schemas['Subject'];
/** A request to show the member in another's picture. */
export type MomentConsent = Schemas['Consent'];
export type BadgeProgress = Schemas['Badge'];
/** A badge that the member has. */
export type UserBadge = Schemas['UserBadge'];
export type CoupleRequest = Schemas['CoupleRequest'];
export type CoupleState = Schemas['CoupleState'];
export type OwnCouple = Schemas['Couple'];
export type QueueEntry = Schemas['WaitingEntry'];
export type QueueCount = Schemas['KindCount'];
export type QueuedCouple = Schemas['QueuedCouple'];
export type OpenedCouple = Schemas['OpenedCouple'];
export type WallEntry = Schemas['WallEntry'];
/** A member's Love Pulse of a day. */
export type PulseEntry = Schemas['DailyEntry'];
export type PulseMood = PulseEntry['mood'];
export type PulseQuestion = PulseEntry['question'];
export type PulseStreak = Schemas['DayStreak'];
export type MoodDay = Schemas['MoodDay'];
export type Together = Schemas['Together'];
export type SharedDay = Schemas['SharedDay'];
export type QueuedProfile = Schemas['QueuedProfile'];
/** A profile or first photo with its contents. */
export type OpenedBirthDate = Schemas['OpenedBirthDate'];
export type OpenedProfile = Schemas['OpenedProfile'];
/** Whether the member's own profile or first photo waits for a moderator, or was declined. */
export type ReviewStatus = Schemas['ReviewStatus'];
export type MailProblem = Schemas['MailProblem'];
/** The result of one row of a decision on several. */
export type RowResult = Schemas['RowResult'];
/** A member in the list of the admins. */
export type ListedMember = Schemas['Member'];
/** A member on the page for admins. */
export type ManagedMember = Schemas['MemberDetail'];
export type Sanction = Schemas['Sanction'];
/** The rule that a decision names. */
export type Ground = Sanction['ground'];
/** The statement of reasons of a decision. */
export type Reasons = Schemas['Reasons'];
export type StaffNote = Schemas['StaffNote'];
/** A decision that is not made yet. */
export type DecisionDraft = Omit<Schemas['PreviewDecision'], '$schema'>;
export type ProfilePart = Schemas['ProfilePart'];
export type DecisionPreview = Schemas['DecisionPreview'];
export type StatusChange = Schemas['SetStatus'];
/** The settings of the installation, beside the intention tags. */
export type SiteSettings = Schemas['SiteSettings'];
/** The state of this week's digest. */
export type DigestRun = Schemas['RunStatus'];
/** The key figures of a range of days and its weeks. */
export type KeyFigures = Schemas['Figures'];
/** The figures of a day. */
export type DayFigures = Schemas['Day'];
/** How evenly members were shown in a week. */
export type Exposure = Schemas['Exposure'];
export type MemberQuery = Schemas['Members'];
export type AuditEntry = Schemas['AuditEntry'];
export type EvidenceFile = Schemas['EvidenceFile'];
/** The dashboard names the decision, not a status. */
export type ReportDecision = Schemas['DecideReport'] & {
  decision: NonNullable<Schemas['DecideReport']['decision']>;
};
export type Safety = Schemas['Safety'];

/** One of the member's signed-in devices. */
export type Session = Schemas['Session'];
export type Passkey = Schemas['Passkey'];
export type EmailChange = Schemas['EmailChange'];
export type EmailChangeState = Schemas['EmailChangeState'];
export type Factors = Schemas['Factors'];

/** The body of every error response (application/problem+json). */
/** What went wrong. A server that is newer than this build may send others. */
export type ErrorCode = Schemas['ErrorCode'];
/** A code with its parameters, of which a text can be made on the device. */
export type CodedError = {
  [C in ErrorCode]: { code: C; params?: C extends keyof ErrorParams ? ErrorParams[C] : never };
}[ErrorCode];
export type Problem = Omit<Schemas['Problem'], keyof CodedError> & CodedError;

/** The settings of notifications and media. */
export type NotificationSettings = Schemas['Preferences'];
/** A category of notifications. */
export type PushCategory = NonNullable<Schemas['SetDevice']['categories']>[number];

/** A post of the community board in a list. */
export type PostCard = Schemas['PostCard'];
export type PostCategory = PostCard['category'];
export type PostAuthor = PostCard['author'];
/** A post with its text. */
export type Post = Schemas['Post'];
export type PostStatus = Post['status'];
export type OwnPost = Schemas['OwnPost'];
export type PostComment = Schemas['PostComment'];
/** A comment with its replies. */
export type CommentThread = Schemas['CommentThread'];
export type PostLikes = Schemas['PostLikes'];
/** A post or comment as moderators see it. */
export type QueuedPost = Schemas['QueuedPost'];
export type OpenedPost = Schemas['OpenedPost'];
export type QueuedComment = Schemas['QueuedComment'];
export type OpenedComment = Schemas['OpenedComment'];
export type IssueKind = NonNullable<QueuedReport['issueKind']>;
