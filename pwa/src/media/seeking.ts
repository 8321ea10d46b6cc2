const STEP_MS = 2000;

/** Returns the position that a key seeks to, in ms; undefined for other keys. */
export function keyTarget(key: string, positionMs: number, durationMs: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(durationMs, positionMs + STEP_MS);
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(0, positionMs - STEP_MS);
    case 'Home':
      return 0;
    case 'End':
      return durationMs;
    default:
      return undefined;
  }
}
