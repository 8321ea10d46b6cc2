import { type ReactNode, useState } from 'react';
import { MemberError } from '@/api/errors.ts';
import type { OpenedPost, PostStatus, QueuedPost } from '@/api/types.ts';
import { Badge, RelativeTime } from '@/ui';
import { RichText } from '@/ui/RichText.tsx';
import { describeMember, flagCategoryLabels, postCategoryLabels } from './adminLabels.ts';
import { type BulkChoice, BulkDecision } from './BulkDecision.tsx';
import {
  decideCommunity,
  openPost,
  type PostDecision,
  refreshCommunity,
  usePosts,
} from './communityRequests.ts';
import { MemberLink } from './MemberLink.tsx';
import { OpenForm } from './OpenForm.tsx';
import { Outcome } from './Outcome.tsx';
import { useClaim } from './queueRequests.ts';
import { ReasonedDecision } from './ReasonedDecision.tsx';
import { ReviewPicture } from './ReviewPicture.tsx';
import { Queue, QueueRow, Split } from './Split.tsx';
import { RowBox, useQueueRows } from './selection.tsx';

type PostsProps = { id?: string; status: PostStatus; filter: ReactNode };

const noneWait = { title: 'No stories wait', text: 'New and changed ones appear here.' };
const noneDecided = { title: 'No such stories', text: 'Decided ones appear here.' };

/** The stories of a status, waiting ones with the longest wait first, and the open one. */
export function Posts({ id, status, filter }: PostsProps) {
  const query = usePosts(status);
  const rows = query.data ?? [];
  const { open, nextId, rowOf, selected, toggle, clear } = useQueueRows(rows, id, ({ opened }) => opened);
  return (
    <Split
      entry={id ? <PostEntry id={id} key={id} nextId={nextId} queued={open} /> : null}
      hint="Choose a story. It is shown after you say why you open it."
      list={
        <>
          {filter}
          <BulkDecision
            choices={bulkChoicesOf(status)}
            decide={(ids, decision, reason) =>
              decideCommunity(
                ids.flatMap((rowId) => rowOf(rowId) ?? []),
                decision,
                reason,
              )
            }
            ids={selected}
            nameOf={(postId) => describeMember(rowOf(postId)?.author ?? null)}
            noun={{ one: 'story', many: 'stories' }}
            onClear={clear}
            onSent={() => void refreshCommunity()}
          />
          <Queue empty={status === 'pending' ? noneWait : noneDecided} label="Stories" query={query}>
            {(row) => (
              <li className="flex items-start" key={row.id}>
                <RowBox
                  checked={selected.includes(row.id)}
                  disabled={!row.opened}
                  label={`Select the story of ${describeMember(row.author)}`}
                  onToggle={() => toggle(row.id)}
                />
                <QueueRow id={row.id} open={row.id === id} tab="community">
                  <Summary post={row} />
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

export const bulkChoices: BulkChoice<PostDecision>[] = [
  {
    value: 'approve',
    label: 'Approve',
    key: 'a',
    done: 'Approved',
    description: 'Everyone can read them. Their authors are told.',
    hint: 'For the audit log. No member sees it.',
  },
  {
    value: 'reject',
    label: 'Reject',
    key: 'r',
    done: 'Rejected',
    description: 'Only their authors see them, with the reason, and can change them.',
    hint: 'The authors see it.',
    danger: true,
  },
];

/** Returns both decisions for stories that wait, and for decided ones the opposite of theirs. */
function bulkChoicesOf(status: PostStatus): BulkChoice<PostDecision>[] {
  const opposite: PostDecision = status === 'published' ? 'reject' : 'approve';
  return status === 'pending' ? bulkChoices : bulkChoices.filter(({ value }) => value === opposite);
}

function Summary({ post }: { post: QueuedPost }) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        <Badge>{postCategoryLabels[post.category]}</Badge>
        {post.flag && <Badge tone="danger">{flagCategoryLabels[post.flag]}</Badge>}
        <RelativeTime className="ms-auto text-muted text-xs" value={post.submittedAt} />
      </span>
      <span className="font-semibold" dir="auto">
        {describeMember(post.author)}
      </span>
      <span className="text-muted text-xs">{post.opened ? 'Opened by you' : 'Not opened yet'}</span>
    </>
  );
}

const choicesOf = (status: PostStatus) => [
  ...(status === 'published'
    ? []
    : [
        {
          value: 'approve' as const,
          label: 'Approve',
          hint: 'Everyone can read it, and its author is told.',
          reason: 'Nothing against the rules.',
        },
      ]),
  ...(status === 'rejected'
    ? []
    : [
        {
          value: 'reject' as const,
          label: status === 'published' ? 'Take it down' : 'Reject',
          hint: 'Its author sees the reason, and can change it.',
          danger: true,
        },
      ]),
];

type PostEntryProps = { id: string; queued?: QueuedPost; nextId?: string };

/** A story. It is shown as readers will see it after a reason is given, and the outcome after the decision. */
export function PostEntry({ id, queued, nextId }: PostEntryProps) {
  // The version that was opened stays, so that an edit in between is noticed.
  const [opened, setOpened] = useState<OpenedPost>();
  const [decision, setDecision] = useState<PostDecision>();
  // The row leaves the list with the decision, and with it the next one.
  const [next] = useState(nextId);
  const post = opened ?? queued;
  useClaim('post', id, opened);

  async function open(reason: string) {
    setOpened(await openPost(id, reason));
    void refreshCommunity();
  }

  async function decide(value: PostDecision, reason: string, read: OpenedPost) {
    const [result] = await decideCommunity([read], value, reason);
    void refreshCommunity();
    if (result && !result.stored) throw new MemberError(result.problem);
    setDecision(value);
  }

  return (
    <article aria-label="Story" className="flex flex-col gap-5">
      <section className="card flex flex-col gap-3 p-5">
        <h2 className="wrap-anywhere font-display font-semibold text-xl" dir="auto">
          {opened ? opened.title : 'A story'}
        </h2>
        {post && <Facts post={post} />}
        {opened?.rejectionReason && (
          <p className="wrap-anywhere">
            Rejected: <bdi>{opened.rejectionReason}</bdi>
          </p>
        )}
        {!opened && <OpenForm askOnceFor="post" label="Open story" onOpen={open} />}
      </section>
      {decision ? (
        <Outcome nextId={next} tab="community" title={decision === 'approve' ? 'Published' : 'Rejected'}>
          <p>Its author is told.</p>
        </Outcome>
      ) : (
        opened && (
          <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem]">
            <Contents post={opened} />
            <div className="xl:sticky xl:top-20">
              <ReasonedDecision
                choices={choicesOf(opened.status)}
                done="Story decided"
                hint="The author of a rejected story sees it."
                onDecide={(value, reason) => decide(value, reason, opened)}
              />
            </div>
          </div>
        )
      )}
    </article>
  );
}

function Facts({ post }: { post: QueuedPost }) {
  return (
    <>
      <p className="flex flex-wrap gap-2">
        <Badge>{postCategoryLabels[post.category]}</Badge>
        {post.isAdminPost && <Badge tone="sky">Official</Badge>}
        {post.flag && <Badge tone="danger">The filter noticed: {flagCategoryLabels[post.flag]}</Badge>}
      </p>
      <p className="text-muted">
        By <MemberLink member={post.author} />, sent <RelativeTime inSentence value={post.submittedAt} />
        {post.publishedAt && (
          <>
            , first published <RelativeTime inSentence value={post.publishedAt} />
          </>
        )}
        .
      </p>
    </>
  );
}

function Contents({ post: { excerpt, contentHtml, featuredImage, tags, category } }: { post: OpenedPost }) {
  const ownTags = tags.filter((tag) => tag !== category);
  return (
    <div className="card flex flex-col gap-4 p-5">
      {featuredImage && (
        <div className="max-w-lg">
          <ReviewPicture address={featuredImage.url} label="The picture of the story" />
        </div>
      )}
      <p className="wrap-anywhere text-lg text-muted" dir="auto">
        {excerpt}
      </p>
      <RichText html={contentHtml} />
      {ownTags.length > 0 && (
        <p className="wrap-anywhere text-muted text-sm">
          Tags: <bdi>{ownTags.join(', ')}</bdi>
        </p>
      )}
    </div>
  );
}
