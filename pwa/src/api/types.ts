/** The schemas of the API, under the app's names. */

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
/** The name of a list of words that members choose from. */
export type WordList = Exclude<keyof Schemas['Options'], 'promptTopics' | '$schema'>;

/** The body of PATCH /api/users/me: only fields that are sent change; null clears a nullable field. */
export type MePatch = Partial<Pick<Me, Exclude<keyof Schemas['Changes'], 'age' | 'removedVoiceIds'>>> & {
  /** With prompts: the recorded answers to delete. */
  removedVoiceIds?: string[];
};

/** Another member, with public fields only. */
export type PublicMember = Schemas['PublicMember'];
export type Compatibility = Schemas['Compatibility'];
export type Candidate = Schemas['Candidate'];

/** A voice or video recording of a member. */
export type Recording = Schemas['Recording'];

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

/** The results of the member's invitations. */
export type ReferralStats = Schemas['Stats'];
export type Referral = Schemas['Referral'];
export type Tier = Schemas['Tier'];

/** One of the member's signed-in devices. */
export type Session = Schemas['Session'];

/** The body of every error response (application/problem+json). */
export type Problem = Schemas['Problem'];

/** The settings of notifications and media. */
export type NotificationSettings = Schemas['Preferences'];
/** A category of notifications. */
export type PushCategory = NonNullable<Schemas['SetCategories']['categories']>[number];
