import { afterAll, beforeAll, vi } from 'vitest';

// For the files that share a window: each begins with a page, a store and modules of its own.
beforeAll(() => {
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
});

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});
