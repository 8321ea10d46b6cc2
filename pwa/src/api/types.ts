/** The shapes of the API's answers, under the names the app uses for them. */

import type { components } from './schema.gen.ts';

type Schemas = components['schemas'];

export type Photo = Schemas['Photo'];
export type Prompt = Schemas['Prompt'];

/** The signed-in member, as only they see themselves. */
export type Me = Schemas['Me'];
export type Education = NonNullable<Me['education']>;
export type Religion = NonNullable<Me['religion']>;

/** What the app edits by PATCH /api/users/me: only the fields sent change, and null clears where Me has null. */
export type MePatch = Partial<Pick<Me, Exclude<keyof Schemas['Changes'], 'age' | 'birthDate'>>>;

/** Another member, from the explicit list of public fields. */
export type PublicMember = Schemas['PublicMember'];
export type Compatibility = Schemas['Compatibility'];
export type Candidate = Schemas['Candidate'];

/** The few fields of a member shown beside a match, a conversation or a name. */
export type UserCard = Schemas['UserCard'];
export type Match = Schemas['Match'];
export type LikeResult = Schemas['LikeResult'];
export type LikeType = LikeResult['likeType'];

export type Message = Schemas['Message'];
export type ConversationSummary = Schemas['Conversation'];

/** One of the member's signed-in devices. */
export type Session = Schemas['Session'];

/** The body of every refusal (application/problem+json). */
export type Problem = Schemas['Problem'];
