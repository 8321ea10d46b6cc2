import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, describeLoadError, unwrap } from '@/api/client.ts';
import type { DecisionDraft, DecisionPreview as Preview } from '@/api/types.ts';

/** How long the moderator types nothing before the preview is requested, in milliseconds. */
const SETTLE_MS = 400;

const recipients: Record<Preview['mails'][number]['to'], string> = {
  member: 'Email to the member',
  reporter: 'Email to the reporter',
};

const inApp: typeof recipients = {
  member: 'In the member’s notifications',
  reporter: 'In the reporter’s notifications',
};

/** What a decision would do and the exact mails, from the server, while it is written. Undefined while it is incomplete. */
export function DecisionPreview({ draft }: { draft: DecisionDraft | undefined }) {
  const wanted = draft && JSON.stringify(draft);
  const [settled, setSettled] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const query = useQuery({
    queryKey: ['admin', 'preview', settled],
    queryFn: () =>
      unwrap(api.POST('/api/admin/decisions/preview', { body: JSON.parse(settled ?? '') as DecisionDraft })),
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  if (!draft) return null;
  return (
    <section aria-label="Preview" className="flex flex-col gap-2 rounded-control bg-raised p-3 text-sm">
      <h4 className="font-semibold">What it does</h4>
      {query.error && <p className="text-danger">{describeLoadError(query.error)}</p>}
      {!query.error && !query.data && <p className="text-muted">Loading the preview …</p>}
      {!query.error && query.data && <Effects preview={query.data} />}
    </section>
  );
}

function Effects({ preview: { effects, mails, notifications } }: { preview: Preview }) {
  return (
    <>
      <ul className="list-disc ps-5">
        {effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
        {effects.length === 0 && <li>Nothing changes for a member.</li>}
        {notifications.map(({ to, text }) => (
          <li key={to + text}>
            {inApp[to]}: “{text}”
          </li>
        ))}
        {mails.length === 0 && <li>No email is sent.</li>}
      </ul>
      {mails.map(({ to, subject, text }) => (
        <details key={to}>
          <summary className="min-h-6 cursor-pointer font-semibold text-ember-strong">
            {recipients[to]}: {subject}
          </summary>
          <p className="mt-1 whitespace-pre-wrap [overflow-wrap:anywhere]" dir="auto">
            {text}
          </p>
        </details>
      ))}
    </>
  );
}
