import { afterAll, beforeAll, vi } from 'vitest';

// For the files that share a window: resets the page, the storage and the modules between them.
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
