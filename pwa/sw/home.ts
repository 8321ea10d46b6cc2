/** The address / has two documents: the app for a member, and the server's landing page for a visitor. */
import { readDeviceMember } from '../src/offline/device/marker.ts';

/** Matches the path and query of /. */
export const HOME = /^\/(?:\?|$)/;

/**
 * Answers a navigation to / with the app's shell on a device with a signed-in member, also offline, and else with the
 * server's document. If the server cannot be reached the shell says so.
 */
export async function serveHome<Options extends { request: Request }>(
  options: Options,
  shell: (options: Options) => Promise<Response>,
): Promise<Response> {
  if (await readDeviceMember().catch(() => null)) return shell(options);
  try {
    return await fetch(options.request);
  } catch {
    return shell(options);
  }
}
