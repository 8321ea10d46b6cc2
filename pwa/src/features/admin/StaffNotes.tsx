import { useInfiniteQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { v7 as uuid } from 'uuid';
import { api, describeLoadError, unwrap, unwrapPage } from '@/api/client.ts';
import { MAX_ADD_STAFF_NOTE_TEXT } from '@/api/limits.gen.ts';
import { ApiError } from '@/api/request.ts';
import type { StaffNote } from '@/api/types.ts';
import { formatDate, formatTime } from '@/base/format.ts';
import { Button, ErrorState, TextArea, useForm } from '@/ui';
import { refreshQueue } from './adminRequests.ts';
import { useWithProof } from './proof.ts';

type NoteSubject = { kind: 'member' | 'report' | 'flag' | 'appeal'; id: string };

const caseLabels: Record<NonNullable<StaffNote['caseKind']>, string> = {
  report: 'on a report',
  flag: 'on a message',
  appeal: 'on an appeal',
};

const useStaffNotes = ({ kind, id }: NoteSubject) =>
  useInfiniteQuery({
    queryKey: ['admin', 'notes', kind, id],
    queryFn: ({ pageParam }) =>
      unwrapPage(
        api.GET('/api/admin/notes/{kind}/{id}', {
          params: { path: { kind, id }, query: { cursor: pageParam } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
    gcTime: 0,
  });

/**
 * What moderators wrote for each other about a member or a case, and a form for another note. Shows nothing to a moderator who may
 * not see these notes, such as those about a match or about somebody of the staff.
 */
export function StaffNotes({ of }: { of: NoteSubject }) {
  const query = useStaffNotes(of);
  const title = useId();
  if (query.error instanceof ApiError && query.error.status === 404) return null;
  const notes = query.data?.pages.flatMap(({ items }) => items);
  return (
    <section aria-labelledby={title} className="card flex flex-col gap-3 p-5">
      <h3 className="font-semibold text-lg" id={title}>
        Notes
      </h3>
      {query.error && (
        <ErrorState
          onRetry={query.refetch}
          text={describeLoadError(query.error)}
          title="The notes could not be loaded"
        />
      )}
      {notes?.length === 0 && <p className="text-muted text-sm">None yet.</p>}
      <ul className="divide-y divide-line text-sm">
        {notes?.map(({ id, author, createdAt, caseKind, text }) => (
          <li className="py-2" key={id}>
            <p className="text-muted text-xs" dir="auto">
              {author}, {formatDate(createdAt)}, {formatTime(createdAt)}
              {caseKind && `, ${caseLabels[caseKind]}`}
            </p>
            <p className="whitespace-pre-wrap [overflow-wrap:anywhere]" dir="auto">
              {text}
            </p>
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          busy={query.isFetchingNextPage}
          className="self-start"
          onClick={() => void query.fetchNextPage()}
          size="sm"
          variant="secondary"
        >
          Show more
        </Button>
      )}
      <NewNote of={of} />
    </section>
  );
}

const check = ({ text }: { text: string }) => ({ text: text.trim() ? undefined : 'Please write the note.' });

function NewNote({ of: { kind, id } }: { of: NoteSubject }) {
  const form = useForm({ text: '' }, { check, inline: true });
  const withProof = useWithProof();
  // Chosen before sending, so that a repetition is the same note.
  const [noteId, setNoteId] = useState(() => uuid());

  async function add({ text }: { text: string }) {
    const params = { path: { kind, id, noteId } };
    const stored = await withProof(async () => {
      await unwrap(api.PUT('/api/admin/notes/{kind}/{id}/{noteId}', { params, body: { text: text.trim() } }));
    });
    if (!stored) return;
    setNoteId(uuid());
    form.reset({ text: '' });
    await refreshQueue('notes');
  }

  return (
    <form className="flex flex-col gap-2" noValidate onSubmit={form.submit(add)}>
      <TextArea
        {...form.field('text')}
        error={form.errorOf('text') || form.error}
        hint="For other moderators. No member sees it. Deleted after a year, or with the account."
        label="New note"
        maxLength={MAX_ADD_STAFF_NOTE_TEXT}
      />
      <Button busy={form.isBusy} className="self-start" size="sm" type="submit" variant="secondary">
        Add note
      </Button>
    </form>
  );
}
