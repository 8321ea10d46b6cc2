/** What has to stop (socket, drain, database) before the member's data is deleted. */
type Teardown = () => void | Promise<void>;
const teardowns = new Set<Teardown>();

/** Registers a teardown. Returns a function that removes it. */
export function onWipe(teardown: Teardown): () => void {
  teardowns.add(teardown);
  return () => teardowns.delete(teardown);
}

/** Runs every teardown, also after one has failed. */
export async function tearDown(): Promise<void> {
  for (const teardown of teardowns) await attempt(teardown);
}

/** Runs one step of signing out. A step that fails must not stop those after it, which delete data. */
export async function attempt(step: () => unknown): Promise<void> {
  try {
    await step();
  } catch (error) {
    console.warn('A step of signing out failed', error);
  }
}
