const stepMs = 2000;

/** Where a key leads on the time line; undefined for keys that mean something else. */
export function keyTarget(key: string, positionMs: number, durationMs: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(durationMs, positionMs + stepMs);
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(0, positionMs - stepMs);
    case 'Home':
      return 0;
    case 'End':
      return durationMs;
    default:
      return undefined;
  }
}
