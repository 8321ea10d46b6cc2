import { test } from '@playwright/test';

/**
 * Returns a function that makes a value at its first call in a worker, and returns the same one later. It is closed after
 * the worker's last test of the file. (A fixture of the worker would start another browser and server.) To be called at
 * the top level of a file with tests.
 */
export function oncePerWorker<Needs, Made>(
  make: (needs: Needs) => Promise<Made>,
  close: (made: Made) => Promise<unknown>,
): (needs: Needs) => Promise<Made> {
  let made: Promise<Made> | undefined;
  test.afterAll(async () => {
    if (made) await close(await made);
    made = undefined;
  });
  return (needs) => {
    made ??= make(needs);
    return made;
  };
}
