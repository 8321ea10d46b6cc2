/** Resolves with the result of `work`, or with undefined when it fails or takes longer than `milliseconds`. */
export async function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  const expired = new Promise<undefined>((resolve) => setTimeout(resolve, milliseconds));
  return Promise.race([work.catch(() => undefined), expired]);
}
