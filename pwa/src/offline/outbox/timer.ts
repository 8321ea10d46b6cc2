/** Limits a delay to an hour, because the device's clock may be changed meanwhile. */
export const timerMs = (ms: number): number => Math.min(Math.max(0, ms), 3_600_000);

/**
 * Resolves `passed` at a time; never if it is null, or had passed when the rows were read, as that of a row which cannot be
 * sent now.
 */
export function startTimer(at: number | null, readAt: number): { passed: Promise<void>; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    if (at !== null && at > readAt) timer = setTimeout(resolve, timerMs(at - readAt));
  });
  return { passed, stop: () => clearTimeout(timer) };
}
