import { attempt, stopSession } from '@/base/pageSession.ts';

/** Stops a part of the app (socket, drain) before the member's data is deleted. */
type Teardown = () => void | Promise<void>;
const teardowns = new Set<Teardown>();

export { attempt };

/** Registers a teardown. Returns a function that removes it. */
export function onWipe(teardown: Teardown): () => void {
  teardowns.add(teardown);
  return () => teardowns.delete(teardown);
}

/** Runs every teardown, even if one fails, and stops the session. */
export async function tearDown(): Promise<void> {
  for (const teardown of teardowns) await attempt(teardown);
  await stopSession();
}
