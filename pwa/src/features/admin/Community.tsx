import { useState } from 'react';
import type { PostStatus } from '@/api/types.ts';
import { Select } from '@/ui';
import { Comments } from './CommentReviews.tsx';
import type { CommentFilter } from './communityRequests.ts';
import { Posts } from './Posts.tsx';

type View = { posts: PostStatus } | { comments: CommentFilter };

const views: Record<string, { label: string; view: View }> = {
  pending: { label: 'Stories that wait', view: { posts: 'pending' } },
  published: { label: 'Published stories', view: { posts: 'published' } },
  rejected: { label: 'Rejected stories', view: { posts: 'rejected' } },
  waiting: { label: 'Comments that wait', view: { comments: 'pending' } },
  hidden: { label: 'Hidden comments', view: { comments: 'hidden' } },
  all: { label: 'All comments', view: { comments: 'all' } },
};

const pending: View = { posts: 'pending' };

/** The stories and comments of the board, and the open one. Issues are in the queue of the reports. */
export function Community({ id }: { id?: string }) {
  const [shown, setShown] = useState('pending');
  const view = views[shown]?.view ?? pending;
  const filter = (
    <div className="mb-3">
      <Select label="Show" onChange={({ target }) => setShown(target.value)} value={shown}>
        {Object.entries(views).map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </div>
  );
  return 'posts' in view ? (
    <Posts filter={filter} id={id} status={view.posts} />
  ) : (
    <Comments filter={filter} id={id} shown={view.comments} />
  );
}
