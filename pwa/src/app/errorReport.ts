/** The report about an error that ended a screen, for the server's log. It has no text of the error, which may be a member's. */
import { api } from '@/api/client.ts';
import { MAX_REPORT_CLIENT_ERROR_FRAMES } from '@/api/limits.gen.ts';

/** Crockford's base 32: no letter looks like a digit. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a random id, by which the operator finds the report. */
export const newErrorId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => LETTERS[byte % 32]).join('');

/** Returns file, line and column of each line of the stack that is in the app's code. */
function framesOf({ stack = '' }: Error): string[] {
  const frames = stack.match(/[\w~.-]{1,80}\.[jt]sx?(\?[^:\s]*)?:\d{1,7}:\d{1,7}/g) ?? [];
  return frames.map((frame) => frame.replace(/\?[^:]*/, '')).slice(0, MAX_REPORT_CLIENT_ERROR_FRAMES);
}

/** `route` is the pattern of the screen's address. A report that cannot be sent is dropped: the console has the error too. */
export async function reportError(id: string, error: unknown, route: string): Promise<void> {
  const known = error instanceof Error ? error : new Error();
  const name = /^[A-Za-z]{1,40}$/.test(known.name) ? known.name : 'Error';
  const body = { id, name, route, frames: framesOf(known) };
  await api.POST('/api/client-errors', { body }).catch(() => undefined);
}
