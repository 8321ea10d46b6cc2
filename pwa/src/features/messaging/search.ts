/** Searching in what was written: the device's messages at once, the server's after a pause. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, unwrap } from '@/api/client.ts';
import { useLive } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';

/** What the server takes as a search. */
const SHORTEST = 2;
const LONGEST = 100;
const PAUSE_MS = 350;
const MOST = 30;

export type Hit = {
  conversationId: string;
  seq: number;
  user: ConversationRow['user'];
  content: string;
  mine: boolean;
  sentAt: string;
};

/** Messages that hold the text, the newest first. */
export function useMessageSearch(text: string): { hits: Hit[]; searching: boolean } {
  const wanted = text.trim().slice(0, LONGEST);
  const quiet = usePaused(wanted);
  const here = useLive(async (db) => (wanted.length < SHORTEST ? [] : searchDevice(db, wanted)), [wanted]);
  const there = useQuery({
    queryKey: ['message-search', quiet],
    queryFn: ({ signal }) => searchServer(quiet, signal),
    enabled: quiet.length >= SHORTEST && quiet === wanted,
    networkMode: 'always',
    gcTime: 0,
  });
  const found = quiet === wanted ? (there.data ?? []) : [];
  return {
    hits: joined(here ?? [], found),
    searching: wanted.length >= SHORTEST && (here === undefined || quiet !== wanted || there.isFetching),
  };
}

export function joined(here: Hit[], there: Hit[]): Hit[] {
  const all = new Map([...there, ...here].map((hit) => [`${hit.conversationId} ${hit.seq}`, hit]));
  return [...all.values()].sort((a, b) => (a.sentAt < b.sentAt ? 1 : -1)).slice(0, MOST);
}

export async function searchDevice(db: HeartwardDb, text: string): Promise<Hit[]> {
  const wanted = text.toUpperCase();
  const conversations = new Map(
    (await db.conversations.toArray())
      .filter(({ request }) => request === 'none')
      .map((row) => [row.id, row]),
  );
  const rows = await db.messages
    .filter(
      ({ content, deletedAt, flag, senderId }) =>
        // What is covered in the conversation is not laid open by a search.
        !deletedAt && (!flag || senderId === db.memberId) && content.toUpperCase().includes(wanted),
    )
    .toArray();
  const hits = rows.flatMap(({ conversationId, seq, content, senderId, sentAt }): Hit[] => {
    const user = conversations.get(conversationId)?.user;
    if (!user || seq === null) return [];
    return [{ conversationId, seq, user, content, mine: senderId === db.memberId, sentAt }];
  });
  return joined(hits, []);
}

async function searchServer(q: string, signal: AbortSignal): Promise<Hit[]> {
  const found = await unwrap(api.GET('/api/messages/search', { params: { query: { q } }, signal }));
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

/** The text once nothing was typed for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setPaused, PAUSE_MS, text);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

/** More than two lines of the list hold. */
const AFTER = 90;

/**
 * From where to where a text holds another, as capitals, which is how the server
 * compares; they may be longer than what was written: "ß" is "SS".
 */
function placeOf(content: string, text: string): [from: number, to: number] {
  const wanted = text.trim().toUpperCase();
  const places: number[] = [];
  let capitals = '';
  let at = 0;
  for (const letter of content) {
    const capital = letter.toUpperCase();
    places.push(...Array<number>(capital.length).fill(at));
    capitals += capital;
    at += letter.length;
  }
  const found = capitals.indexOf(wanted);
  return found < 0 ? [-1, -1] : [places[found] ?? at, places[found + wanted.length] ?? at];
}

/** The part of a text around what was looked for, in three pieces. */
export function snippet(content: string, text: string): [before: string, hit: string, after: string] {
  const [at, end] = placeOf(content, text);
  if (at < 0) return [content.slice(0, 120), '', ''];
  const from = at > 30 ? content.indexOf(' ', at - 30) + 1 : 0;
  const start = from > 0 && from <= at ? from : Math.max(0, at > 30 ? at - 20 : 0);
  return [
    (start > 0 ? '…' : '') + content.slice(start, at),
    content.slice(at, end),
    content.length > end + AFTER ? `${content.slice(end, end + AFTER).trimEnd()}…` : content.slice(end),
  ];
}
