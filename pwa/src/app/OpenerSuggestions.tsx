import { fetchMember, readMember } from '@/domain/memberCache.ts';
import { suggestDraft } from '@/features/messaging/drafts.ts';
import { Openers } from '@/features/messaging/Openers.tsx';
import { useCached, useDb } from '@/offline/store/cached.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';

/** First messages made from the answers of the other member's profile; a tap puts one into the text field. */
export function OpenerSuggestions({ conversation: { id, userId } }: { conversation: ConversationRow }) {
  const db = useDb();
  const { data } = useCached({
    key: ['profile', userId],
    read: (db) => readMember(db, userId),
    refresh: (db) => fetchMember(db, userId),
    // Only its answers are read, which rarely change.
    staleMs: 24 * 60 * 60_000,
  });
  if (!data) return null;
  return (
    <Openers
      className="mt-3 max-w-sm"
      onPick={(opener) => void suggestDraft(db, id, opener).catch(() => undefined)}
      prompts={data.member.prompts}
      seed={id}
    />
  );
}
