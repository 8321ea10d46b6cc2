/** Errors as texts for the member. */

/** An error whose message is for the member. */
export class MemberError extends Error {
  /** The errors by field of the request: `{ email: '…' }`. */
  readonly fieldErrors: Record<string, string> = {};
}

/** Returns the text for the member about a failed action. The message of an error that is not for members is `otherwise`. */
export function describeError(error: unknown, otherwise = 'Please try again.'): string {
  return error instanceof MemberError ? error.message : otherwise;
}

/** Returns the errors by field of a request that the server has rejected; none for any other error. */
export function fieldErrors(error: unknown): Record<string, string> {
  return error instanceof MemberError ? error.fieldErrors : {};
}
