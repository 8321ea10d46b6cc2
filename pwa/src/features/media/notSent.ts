/** Everything is stored before it travels: only a device without room says no. */
export function notSent(error: unknown): never {
  if (error instanceof NotDelivered) throw error;
  console.warn('A message could not be stored', error);
  throw new Error(
    'Failed to send message. This device has no room left for it: free some space and try again.',
  );
}

/** What a transport that stores nothing says of itself. */
export class NotDelivered extends Error {}
