/** Errors as texts for the member. */

/** An error whose message is for the member. */
export class MemberError extends Error {}

/** Returns the text for the member about a failed action. The message of an error that is not for members is `otherwise`. */
export function describeError(error: unknown, otherwise = 'Please try again.'): string {
  return error instanceof MemberError ? error.message : otherwise;
}
