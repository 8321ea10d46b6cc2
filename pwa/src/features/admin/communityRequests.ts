/** The moderators' requests about the community board. */
import { api, unwrap, unwrapPage } from '@/api/client.ts';
import type {
  OpenedComment,
  OpenedPost,
  PostStatus,
  QueuedComment,
  QueuedPost,
  RowResult,
} from '@/api/types.ts';
import { refreshQueue, useQueue } from './adminRequests.ts';

export type CommentFilter = 'pending' | 'hidden' | 'all';

export const usePosts = (status: PostStatus) =>
  useQueue<QueuedPost>(['community', 'posts', status], (cursor) =>
    unwrapPage(api.GET('/api/admin/community/posts', { params: { query: { status, cursor } } })),
  );

/** Opens a story; the reason is recorded in the audit log. */
export const openPost = (id: string, reason: string): Promise<OpenedPost> =>
  unwrap(api.POST('/api/admin/community/posts/{id}/open', { params: { path: { id } }, body: { reason } }));

/** Opens a comment; the reason is recorded in the audit log. */
export const openComment = (id: string, reason: string): Promise<OpenedComment> =>
  unwrap(api.POST('/api/admin/community/comments/{id}/open', { params: { path: { id } }, body: { reason } }));

export const useComments = (filter: CommentFilter) =>
  useQueue<QueuedComment>(['community', 'comments', filter], (cursor) =>
    unwrapPage(api.GET('/api/admin/community/comments', { params: { query: { filter, cursor } } })),
  );

export type PostDecision = 'approve' | 'reject';
export type CommentDecision = 'hide' | 'restore';

/** What was read of a post or comment. */
type Read = Pick<QueuedPost | QueuedComment, 'id' | 'version' | 'status'>;

/** Decides on posts or comments, each as it was read. Repeating a decision changes nothing. */
export const decideCommunity = (
  read: Read[],
  decision: PostDecision | CommentDecision,
  reason: string,
): Promise<RowResult[]> =>
  unwrap(
    api.POST('/api/admin/community/decisions', {
      body: { items: read.map(({ id, version, status }) => ({ id, version, status })), decision, reason },
    }),
  );

export const refreshCommunity = () => refreshQueue('community');
