import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { PostComment } from '@/api/types.ts';
import { Comment } from './CommentItem.tsx';

const gone: PostComment = {
  id: 'c1',
  postId: 'p1',
  parentId: null,
  content: '',
  author: null,
  createdAt: '2026-11-20T12:00:00Z',
  isOwn: false,
  isDeleted: true,
  isFormerMember: false,
  isPending: false,
  editedAt: null,
};

const textOf = (comment: PostComment) =>
  renderToStaticMarkup(<Comment comment={comment} postId="p1" />).replace(/<[^>]*>/g, '|');

it('names a former member above the comment of a deleted account', () => {
  expect(textOf(gone)).toBe('||This comment is no longer here.||');
  const author = { id: null, fullName: 'Former member', profileImageUrl: null };
  expect(textOf({ ...gone, author, isFormerMember: true })).toBe(
    '||Former member||This comment is no longer here.||',
  );
});
