/** The message search: stored messages at once, the server's after a pause in typing. */

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, unwrap } from '@/api/client.ts';
import { MAX_SEARCH_MESSAGES_Q } from '@/api/limits.gen.ts';
import { useLive } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';
import { cutText } from '@/ui';

/** The server's limits for a search text, in characters. */
const MIN_LENGTH = 2;
const DEBOUNCE_MS = 350;
const MAX_HITS = 30;

export type Hit = {
  conversationId: string;
  seq: number;
  user: ConversationRow['user'];
  content: string;
  mine: boolean;
  sentAt: string;
};

/** Returns the messages that contain the text, newest first. */
export function useMessageSearch(text: string): { hits: Hit[]; searching: boolean } {
  const query = text.trim().slice(0, MAX_SEARCH_MESSAGES_Q);
  const debounced = useDebounced(query);
  const local = useLive(async (db) => (query.length < MIN_LENGTH ? [] : searchDevice(db, query)), [query]);
  const remote = useQuery({
    queryKey: ['message-search', debounced],
    queryFn: ({ signal }) => searchServer(debounced, signal),
    enabled: debounced.length >= MIN_LENGTH && debounced === query,
    networkMode: 'always',
    gcTime: 0,
  });
  const found = debounced === query ? (remote.data ?? []) : [];
  return {
    hits: mergeHits(local ?? [], found),
    searching:
      query.length >= MIN_LENGTH && (local === undefined || debounced !== query || remote.isFetching),
  };
}

export function mergeHits(local: Hit[], remote: Hit[]): Hit[] {
  const all = new Map([...remote, ...local].map((hit) => [`${hit.conversationId} ${hit.seq}`, hit]));
  return [...all.values()].sort((a, b) => (a.sentAt < b.sentAt ? 1 : -1)).slice(0, MAX_HITS);
}

export async function searchDevice(db: HeartwardDb, text: string): Promise<Hit[]> {
  const query = fold(text);
  if (!query) return [];
  const conversations = new Map(
    (await db.conversations.toArray())
      .filter(({ request }) => request === 'none')
      .map((row) => [row.id, row]),
  );
  const rows = await db.messages
    .filter(
      ({ content, deletedAt, flag, senderId }) =>
        // A flagged message is hidden in the conversation and must not show up in a search.
        !deletedAt && (!flag || senderId === db.memberId) && fold(content).includes(query),
    )
    .toArray();
  const hits = rows.flatMap(({ conversationId, seq, content, senderId, sentAt }): Hit[] => {
    const user = conversations.get(conversationId)?.user;
    if (!user || seq === null) return [];
    return [{ conversationId, seq, user, content, mine: senderId === db.memberId, sentAt }];
  });
  return mergeHits(hits, []);
}

async function searchServer(q: string, signal: AbortSignal): Promise<Hit[]> {
  const found = await unwrap(api.POST('/api/messages/search', { body: { q }, signal }));
  const open = found.filter(({ user, message }) => !message.flag || message.senderId !== user.id);
  return open.map(({ conversationId, user, message }) => ({
    conversationId,
    seq: message.seq,
    user,
    content: message.content,
    mine: message.senderId !== user.id,
    sentAt: message.sentAt,
  }));
}

/** Returns the text once it has not changed for a time. */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setDebounced, DEBOUNCE_MS, text);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}

/** Characters shown after a hit: more than two lines of the list. */
const CHARS_AFTER = 90;

/**
 * Returns the form in which texts are compared, as the server does (`search_form`): in upper case and without accents.
 * It may be longer than the text: "ß" becomes "SS".
 */
export const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toUpperCase();

/** Returns the range of a text within another. */
function findRange(content: string, text: string): [from: number, to: number] {
  const query = fold(text.trim());
  const offsets: number[] = [];
  let capitals = '';
  let at = 0;
  for (const letter of content) {
    const capital = fold(letter);
    offsets.push(...Array<number>(capital.length).fill(at));
    capitals += capital;
    at += letter.length;
  }
  const found = capitals.indexOf(query);
  return found < 0 ? [-1, -1] : [offsets[found] ?? at, offsets[found + query.length] ?? at];
}

/** Returns the part of a text around a hit: before, hit and after. */
export function snippet(content: string, text: string): [before: string, hit: string, after: string] {
  const [at, end] = findRange(content, text);
  if (at < 0) return [cutText(content, 120), '', ''];
  const from = at > 30 ? content.indexOf(' ', at - 30) + 1 : 0;
  const start = from > 0 && from <= at ? from : cutText(content, at > 30 ? at - 20 : 0).length;
  return [
    (start > 0 ? '…' : '') + content.slice(start, at),
    content.slice(at, end),
    content.length > end + CHARS_AFTER
      ? `${cutText(content.slice(end), CHARS_AFTER).trimEnd()}…`
      : content.slice(end),
  ];
}
