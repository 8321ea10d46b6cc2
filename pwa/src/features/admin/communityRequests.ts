/** The moderators' requests about the community board. */
import { useQuery } from '@tanstack/react-query';
import { api, unwrap, unwrapPage } from '@/api/client.ts';
import type { PostStatus, ReviewComment, ReviewPost, RowResult } from '@/api/types.ts';
import { refreshQueue, useQueue } from './requests.ts';

export type CommentFilter = 'pending' | 'hidden' | 'all';

export const usePosts = (status: PostStatus) =>
  useQueue<ReviewPost>(['community', 'posts', status], (cursor) =>
    unwrapPage(api.GET('/api/admin/community/posts', { params: { query: { status, cursor } } })),
  );

/** A story that is not in the list, such as one that a link leads to. */
export const usePost = (id: string) =>
  useQuery({
    queryKey: ['admin', 'community', 'post', id],
    queryFn: () => unwrap(api.GET('/api/admin/community/posts/{id}', { params: { path: { id } } })),
    staleTime: 0,
    gcTime: 0,
  });

export const useComments = (filter: CommentFilter) =>
  useQueue<ReviewComment>(['community', 'comments', filter], (cursor) =>
    unwrapPage(api.GET('/api/admin/community/comments', { params: { query: { filter, cursor } } })),
  );

export type PostDecision = 'approve' | 'reject';
export type CommentDecision = 'hide' | 'restore';

/** What was read of a post or comment. */
type Read = Pick<ReviewPost | ReviewComment, 'id' | 'version' | 'status'>;

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
