import { vi } from 'vitest';

const waitFor = vi.waitFor;

/** Without a limit of its own, a condition has 30 seconds to come true; Vitest would give it one, and has no setting. */
vi.waitFor = (condition, options = 30_000) => waitFor(condition, options);
