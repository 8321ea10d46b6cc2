import { vi } from 'vitest';

const waitFor = vi.waitFor;

/** Sets the default timeout of `vi.waitFor` to 30 s. Vitest's is 1 s and cannot be configured. */
vi.waitFor = (condition, options = 30_000) => waitFor(condition, options);
