import { Lightbulb } from 'lucide-react';
import { suggestDraft } from '@/features/messaging/drafts.ts';
import { openersFrom } from '@/features/messaging/opener.ts';
import { useCached } from '@/offline/store/cached.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';
import { fetchMember, readMember } from '@/offline/sync/memberCache.ts';

/** First messages made from the answers of the other member's profile; a tap puts one into the text field. */
export function OpenerSuggestions({ conversation: { id, userId } }: { conversation: ConversationRow }) {
  const { data } = useCached({
    key: ['profile', userId],
    read: (db) => readMember(db, userId),
    refresh: (db) => fetchMember(db, userId),
    // Only its answers are read, which rarely change.
    staleMs: 24 * 60 * 60_000,
  });
  const openers = data ? openersFrom(data.member.prompts, id) : [];
  if (openers.length === 0) return null;
  return (
    <section aria-labelledby="openers" className="mt-3 max-w-sm text-left text-sm">
      <h3 className="mb-2 flex items-center gap-2 text-muted" id="openers">
        <Lightbulb aria-hidden="true" className="size-4.5 shrink-0 text-marigold-ink" strokeWidth={1.75} />
        Not sure how to begin?
      </h3>
      <ul className="flex flex-col gap-2">
        {openers.map((opener) => (
          <li key={opener}>
            <button
              className="wrap-anywhere w-full rounded-card border border-line bg-surface px-4 py-3 text-left hover:bg-raised"
              dir="auto"
              onClick={() => void suggestDraft(id, opener).catch(() => undefined)}
              type="button"
            >
              {opener}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
