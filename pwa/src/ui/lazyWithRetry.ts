import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const RETRY_MS = 2000;

/**
 * Like React's `lazy`, for parts that load beside a screen. A chunk that could not be loaded, as without a network, is
 * requested again every two seconds; `lazy` would throw its first failure, which ends the whole app.
 */
// biome-ignore lint/suspicious/noExplicitAny: the constraint of React's lazy
export function lazyWithRetry<Part extends ComponentType<any>>(
  load: () => Promise<{ default: Part }>,
): LazyExoticComponent<Part> {
  return lazy(async () => {
    for (;;) {
      try {
        return await load();
      } catch (error) {
        console.warn('A part of the app could not be loaded; trying again', error);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  });
}
