/** Resolves with what the work answers; undefined when it fails or takes longer than this. */
export async function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, milliseconds));
  return Promise.race([work.catch(() => undefined), late]);
}
