/** Returns the result of `work`, or rejects after `ms` with an error that names `what` was awaited. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: no result within ${ms / 1000} s`)), ms);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

const LIMIT_MS = 60_000;

/** Calls `poll` until it returns something other than false, null or undefined. An error counts as undefined. */
export async function until<T>(
  what: string,
  poll: () => Promise<T | false | null | undefined>,
): Promise<NonNullable<T>> {
  const end = Date.now() + LIMIT_MS;
  for (;;) {
    const found = await poll().catch((error: Error) => {
      if (Date.now() >= end) throw new Error(`${what}: ${error.message}`);
    });
    if (found !== false && found !== null && found !== undefined) return found as NonNullable<T>;
    if (Date.now() >= end) throw new Error(`not within ${LIMIT_MS / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
