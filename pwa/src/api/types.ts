/** The shapes of the API's answers, under the names the app uses for them. */

import type { components } from './schema.gen.ts';

type Schemas = components['schemas'];

export type Photo = Schemas['Photo'];
export type Prompt = Schemas['Prompt'];

/** The signed-in member, as only they see themselves. */
export type Me = Schemas['Me'];
export type Education = NonNullable<Me['education']>;
export type Religion = NonNullable<Me['religion']>;
/** The name of a list of words that members choose from. */
export type WordList = Exclude<keyof Schemas['Options'], 'promptQuestions' | '$schema'>;

/** What the app edits by PATCH /api/users/me: only the fields sent change, and null clears where Me has null. */
export type MePatch = Partial<Pick<Me, Exclude<keyof Schemas['Changes'], 'age'>>>;

/** Another member, from the explicit list of public fields. */
export type PublicMember = Schemas['PublicMember'];
export type Compatibility = Schemas['Compatibility'];
export type Candidate = Schemas['Candidate'];

/** A voice or a video of a member. */
export type Recording = Schemas['Recording'];

/** How far the member is on the way to "Verified". */
export type Verification = Schemas['Status'];

/** A town of the gazetteer. */
export type Place = Schemas['Place'];

/** How a member wants to discover others; one model for Discover and the settings. */
export type FilterSet = Omit<Schemas['FilterSet'], 'ageRange'> & { ageRange: [number, number] };
export type FilterPreview = Schemas['FilterPreview'];

/** The few fields of a member shown beside a match, a conversation or a name. */
export type UserCard = Schemas['UserCard'];
/** What a device has to learn since its cursor. */
export type SyncDelta = Schemas['Delta'];
export type Match = Schemas['Match'];
export type LikeResult = Schemas['LikeResult'];
export type LikeType = LikeResult['likeType'];
/** How somebody likes somebody, what it is about and what they said with it. */
export type LikeNote = Schemas['LikeNote'];
/** A like that waits for the member's answer. */
export type ReceivedLike = Schemas['ReceivedLike'];
export type ReportReason = Schemas['Report']['reason'];
/** What the day still has of likes and super likes. */
export type LikeAllowance = Schemas['Allowance'];

export type Message = Schemas['Message'];
/** A picture, voice or video of a message. */
export type Attachment = Schemas['Attachment'];
export type ConversationSummary = Schemas['Conversation'];

/** A date that two members plan in their conversation. */
export type PlannedDate = Schemas['Date'];
/** What whoever has a link to a date is shown. */
export type SharedDate = Schemas['SharedDate'];

/** Something the member did, or that came of it. */
export type ActivityItem = Schemas['Item'];

/** What inviting friends has brought. */
export type ReferralStats = Schemas['Stats'];
export type Referral = Schemas['Referral'];
export type Tier = Schemas['Tier'];

/** One of the member's signed-in devices. */
export type Session = Schemas['Session'];

/** The body of every refusal (application/problem+json). */
export type Problem = Schemas['Problem'];

/** What the member wants to be told and when, and how media behaves on their devices. */
export type NotificationSettings = Schemas['Preferences'];
/** What a push can be about. */
export type PushCategory = NonNullable<Schemas['SetCategories']['categories']>[number];
