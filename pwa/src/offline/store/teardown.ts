/** Stops a part of the app (socket, drain, database) before the member's data is deleted. */
type Teardown = () => void | Promise<void>;
const teardowns = new Set<Teardown>();

/** Registers a teardown. Returns a function that removes it. */
export function onWipe(teardown: Teardown): () => void {
  teardowns.add(teardown);
  return () => teardowns.delete(teardown);
}

/** Runs every teardown, even if one fails. */
export async function tearDown(): Promise<void> {
  for (const teardown of teardowns) await attempt(teardown);
}

/** Runs one step of signing out. Its failure is logged, so that the next steps, which delete data, still run. */
export async function attempt(step: () => unknown): Promise<void> {
  try {
    await step();
  } catch (error) {
    console.warn('A step of signing out failed', error);
  }
}
