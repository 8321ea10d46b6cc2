import { api, unwrap } from '../../api/client.ts';
import type { Message } from '../../api/types.ts';

/** The number of messages, or of changes, in a full page. */
export const PAGE_SIZE = 50;

/** Fetches a page of the messages with another member: those after or before a seq, or the newest. */
export const fetchMessages = (
  otherId: string,
  range: { after?: number; before?: number },
  limit = PAGE_SIZE,
): Promise<Message[]> =>
  unwrap(api.GET('/api/messages/{otherId}', { params: { path: { otherId }, query: { ...range, limit } } }));
