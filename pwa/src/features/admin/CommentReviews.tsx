import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { MemberError } from '@/api/errors.ts';
import type { OpenedComment, QueuedComment } from '@/api/types.ts';
import { paths } from '@/session/paths.ts';
import { Badge, RelativeTime } from '@/ui';
import { describeMember, flagCategoryLabels } from './adminLabels.ts';
import { type BulkChoice, BulkDecision } from './BulkDecision.tsx';
import {
  type CommentDecision,
  type CommentFilter,
  decideCommunity,
  openComment,
  refreshCommunity,
  useComments,
} from './communityRequests.ts';
import { MemberLink } from './MemberLink.tsx';
import { OpenForm } from './OpenForm.tsx';
import { Outcome } from './Outcome.tsx';
import { useClaim } from './queueRequests.ts';
import { ReasonedDecision } from './ReasonedDecision.tsx';
import { Queue, QueueRow, Split } from './Split.tsx';
import { RowBox, useQueueRows } from './selection.tsx';

type CommentsProps = { id?: string; shown: CommentFilter; filter: ReactNode };

/** The comments of a filter, the newest first, and the open one. */
export function Comments({ id, shown, filter }: CommentsProps) {
  const query = useComments(shown);
  const rows = query.data ?? [];
  const { open, nextId, rowOf, selected, toggle, clear } = useQueueRows(rows, id, ({ opened }) => opened);
  return (
    <Split
      entry={id ? <CommentEntry id={id} key={id} nextId={nextId} queued={open} /> : null}
      hint="Choose a comment. It is shown after you say why you open it."
      list={
        <>
          {filter}
          <BulkDecision
            choices={bulkChoices}
            decide={(ids, decision, reason) =>
              decideCommunity(
                ids.flatMap((rowId) => rowOf(rowId) ?? []),
                decision,
                reason,
              )
            }
            ids={selected}
            nameOf={(commentId) => describeMember(rowOf(commentId)?.author ?? null)}
            noun={{ one: 'comment', many: 'comments' }}
            onClear={clear}
            onSent={() => void refreshCommunity()}
          />
          <Queue
            empty={{ title: 'No such comments', text: 'Comments that need a look appear here.' }}
            label="Comments"
            query={query}
          >
            {(row) => (
              <li className="flex items-start" key={row.id}>
                <RowBox
                  checked={selected.includes(row.id)}
                  disabled={!row.opened}
                  label={`Select the comment of ${describeMember(row.author)}`}
                  onToggle={() => toggle(row.id)}
                />
                <QueueRow id={row.id} open={row.id === id} tab="community">
                  <CommentSummary comment={row} />
                </QueueRow>
              </li>
            )}
          </Queue>
        </>
      }
      tab="community"
    />
  );
}

function CommentSummary({ comment }: { comment: QueuedComment }) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        {comment.status === 'hidden' && <Badge tone="plum">Hidden</Badge>}
        {comment.status === 'pending' && <Badge tone="marigold">Waits</Badge>}
        {comment.flag && <Badge tone="danger">{flagCategoryLabels[comment.flag]}</Badge>}
        <RelativeTime className="ms-auto text-muted text-xs" value={comment.createdAt} />
      </span>
      <span className="font-semibold" dir="auto">
        {describeMember(comment.author)}
      </span>
      <span className="text-muted text-xs">{comment.opened ? 'Opened by you' : 'Not opened yet'}</span>
    </>
  );
}

export const bulkChoices: BulkChoice<CommentDecision>[] = [
  {
    value: 'hide',
    label: 'Hide',
    key: 'h',
    done: 'Hidden',
    description: 'Nobody sees them anymore. Replies to them stay.',
    hint: 'For the audit log. No member sees it.',
    danger: true,
  },
  {
    value: 'restore',
    label: 'Keep',
    key: 's',
    done: 'Kept',
    description: 'Everyone sees them.',
    hint: 'For the audit log. No member sees it.',
  },
];

const choices = [
  { value: 'hide' as const, label: 'Hide', hint: 'Nobody sees it anymore.', danger: true },
  {
    value: 'restore' as const,
    label: 'Keep',
    hint: 'Everyone sees it.',
    reason: 'Nothing against the rules.',
  },
];

type CommentEntryProps = { id: string; queued?: QueuedComment; nextId?: string };

/** A comment. Its text is shown after a reason is given, and the outcome after the decision. */
export function CommentEntry({ id, queued, nextId }: CommentEntryProps) {
  const [opened, setOpened] = useState<OpenedComment>();
  const [decision, setDecision] = useState<CommentDecision>();
  // The row may leave the list with the decision, and with it the next one.
  const [next] = useState(nextId);
  const comment = opened ?? queued;
  useClaim('comment', id, opened);

  async function open(reason: string) {
    setOpened(await openComment(id, reason));
    void refreshCommunity();
  }

  async function decide(value: CommentDecision, reason: string, read: OpenedComment) {
    const [result] = await decideCommunity([read], value, reason);
    void refreshCommunity();
    if (result && !result.stored) throw new MemberError(result.problem);
    setDecision(value);
  }

  return (
    <article aria-label="Comment" className="flex flex-col gap-5">
      <section className="card flex flex-col gap-3 p-5">
        <h2 className="font-display font-semibold text-xl">A comment</h2>
        {comment && <CommentFacts comment={comment} opened={opened} />}
        {opened ? (
          <p className="wrap-anywhere whitespace-pre-line" dir="auto">
            {opened.content}
          </p>
        ) : (
          <OpenForm askOnceFor="comment" label="Open comment" onOpen={open} />
        )}
      </section>
      {decision ? (
        <Outcome nextId={next} tab="community" title={decision === 'hide' ? 'Hidden' : 'Kept'}>
          <p>Its author gets no message about it.</p>
        </Outcome>
      ) : (
        opened && (
          <div className="max-w-md">
            <ReasonedDecision
              choices={choices}
              done="Comment decided"
              hint="For the audit log. No member sees it."
              onDecide={(value, reason) => decide(value, reason, opened)}
            />
          </div>
        )
      )}
    </article>
  );
}

/** The author, the time and what the filter has noticed. For an opened comment also the story, which links to it. */
function CommentFacts({
  comment,
  opened,
}: {
  comment: QueuedComment | OpenedComment;
  opened?: OpenedComment;
}) {
  return (
    <>
      <p className="text-muted">
        By <MemberLink member={comment.author} />, <RelativeTime inSentence value={comment.createdAt} />
        {opened && (
          <>
            , {opened.parentId ? 'in reply to a comment on' : 'on'}{' '}
            <Link className="font-semibold text-ember-strong" dir="auto" to={paths.post(opened.postId)}>
              {opened.postTitle}
            </Link>
          </>
        )}
      </p>
      {comment.flag && (
        <p>
          <Badge tone="danger">The filter noticed: {flagCategoryLabels[comment.flag]}</Badge>
        </p>
      )}
    </>
  );
}
