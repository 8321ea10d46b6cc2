import { MemberError } from '@/api/errors.ts';

/** Rethrows an error of sending with a text for the member. Sending only stores, so it fails only on a full device. */
export function rethrowForMember(error: unknown): never {
  if (error instanceof NotDelivered) throw error;
  console.warn('A message could not be stored', error);
  throw new MemberError(
    'Failed to send message. This device has no room left for it: free some space and try again.',
  );
}

/** The error of the demo's transport, whose message is for the member. */
export class NotDelivered extends MemberError {}
