import { Lightbulb } from 'lucide-react';
import { suggestDraft } from '@/features/messaging/drafts.ts';
import { openerFrom } from '@/features/messaging/opener.ts';
import { useCached } from '@/offline/store/cached.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';
import { fetchMember, readMember } from '@/offline/sync/memberCache.ts';

/** A first message made from an answer of the other member's profile, which a tap puts into the text field. */
export function OpenerSuggestion({ conversation: { id, userId } }: { conversation: ConversationRow }) {
  const { data } = useCached({
    key: ['profile', userId],
    read: (db) => readMember(db, userId),
    refresh: (db) => fetchMember(db, userId),
    // Only its answers are read, which rarely change.
    staleMs: 24 * 60 * 60_000,
  });
  const opener = data && openerFrom(data.member.prompts);
  if (!opener) return null;
  return (
    <button
      className="mt-3 flex max-w-sm items-start gap-2 rounded-card border border-line bg-surface px-4 py-3 text-left text-sm hover:bg-raised"
      onClick={() => void suggestDraft(id, opener).catch(() => undefined)}
      type="button"
    >
      <Lightbulb
        aria-hidden="true"
        className="mt-0.5 size-4.5 shrink-0 text-marigold-ink"
        strokeWidth={1.75}
      />
      <span className="min-w-0">
        <span className="block text-muted">Not sure how to begin?</span>
        <span className="wrap-anywhere block" dir="auto">
          {opener}
        </span>
      </span>
    </button>
  );
}
