import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client.ts';
import { intentionTagsQuery } from '@/api/sharedRequests.ts';
import type { Me } from '@/api/types.ts';
import { invitation, removeInvitation } from '@/session/invitation.ts';
import { signInByPasskey } from '@/session/passkeys.ts';
import { removePendingForms } from './pendingForm.ts';
import type { SignUpValues } from './validation.ts';

const DEFAULT_TAGS = [
  'Long-term',
  'Long-term commitment',
  'Marriage',
  'Friendship',
  'Healing',
  'Still healing but open',
  'Spiritual Connection',
  'Personal growth',
  'Adventure together',
  'Travel companion',
];

/** Returns the intention tags; the default ones until they are loaded. */
export function useIntentionTags(): string[] {
  const tags = useQuery(intentionTagsQuery);
  return tags.data ?? DEFAULT_TAGS;
}

/** Creates the account, with the stored invitation code. */
export async function signUp(values: SignUpValues, code: string): Promise<Me> {
  const me = await unwrap(
    api.POST('/api/users', { body: { ...values, code, ref: invitation(), guided: true } }),
  );
  removeInvitation();
  removePendingForms();
  return me;
}

export type Credentials =
  | { email: string; code: string }
  | { email: string; password: string }
  /** With the browser's dialog, or one that the member picks in the address field. */
  | { passkey: 'dialog' | 'autofill' };

/** Signs in. */
export async function signIn(credentials: Credentials): Promise<Me> {
  const me =
    'passkey' in credentials
      ? await signInByPasskey({ autofill: credentials.passkey === 'autofill' })
      : await unwrap(api.POST('/api/auth/login', { body: credentials }));
  removePendingForms();
  return me;
}
