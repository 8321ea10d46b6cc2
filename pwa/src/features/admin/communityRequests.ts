/** The moderators' requests about the community board. */
import { api, unwrap, unwrapPage } from '@/api/client.ts';
import type { PostStatus, ReviewComment, ReviewPost, RowResult } from '@/api/types.ts';
import { refreshQueue, useQueue } from './requests.ts';

export type CommentFilter = 'flagged' | 'hidden' | 'all';

export const usePosts = (status: PostStatus) =>
  useQueue<ReviewPost>(['community', 'posts', status], (cursor) =>
    unwrapPage(api.GET('/api/admin/community/posts', { params: { query: { status, cursor } } })),
  );

export const useComments = (filter: CommentFilter) =>
  useQueue<ReviewComment>(['community', 'comments', filter], (cursor) =>
    unwrapPage(api.GET('/api/admin/community/comments', { params: { query: { filter, cursor } } })),
  );

export type PostDecision = 'approve' | 'reject';
export type CommentDecision = 'hide' | 'restore';

/** Decides on posts, each in the version that was read, or on comments. Repeating a decision changes nothing. */
export const decideCommunity = (
  items: { id: string; version?: number }[],
  decision: PostDecision | CommentDecision,
  reason: string,
): Promise<RowResult[]> =>
  unwrap(api.POST('/api/admin/community/decisions', { body: { items, decision, reason } }));

export const refreshCommunity = () => refreshQueue('community');
