import { PenLine, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { describeLoadError } from '@/api/client.ts';
import { paths } from '@/session/paths.ts';
import { useMe } from '@/session/session.ts';
import { Button, ButtonLink, EmptyState, ErrorState, IconButton, Screen, Tabs } from '@/ui';
import { ServedText, useServedText } from '@/ui/ServedText.tsx';
import { BoardQuote } from './BoardQuote.tsx';
import { type BoardList, POPULAR, type ShownBoard, useMemberBoard, useVisitorBoard } from './board.ts';
import { type BoardTab, boardTabs, isBoardTab } from './boardCategories.ts';
import { NextPage } from './NextPage.tsx';
import { PopularStrip } from './PopularStrip.tsx';
import { PostItem } from './PostItem.tsx';
import { PostsSkeleton } from './PostsSkeleton.tsx';
import { SearchField } from './SearchField.tsx';
import { SignIn } from './SignIn.tsx';
import { StoryDialog } from './StoryDialog.tsx';

/** /community?category=…&tag=…&q=…: the posts of a category, with a tag and the words searched for. Everyone can read it. */
export default function BoardScreen() {
  const { me } = useMe();
  const [search, setSearch] = useSearchParams();
  const requested = search.get('category');
  const tab = isBoardTab(requested) ? requested : 'all';
  const tag = search.get('tag') ?? '';
  const words = search.get('q') ?? '';
  const [isWriting, setWriting] = useState(false);
  const write = () => setWriting(true);

  function show(change: Partial<TabList>) {
    const next = { tab, tag, words, ...change };
    const params = {
      ...(next.tab !== 'all' && { category: next.tab }),
      ...(next.tag && { tag: next.tag }),
      ...(next.words && { q: next.words }),
    };
    setSearch(params, { replace: true });
  }

  const Page = me ? MemberBoard : VisitorBoard;
  const list = { tab, tag, words };
  return (
    <>
      <Page list={list} onWrite={me ? write : undefined} show={show} />
      {me && isWriting && <StoryDialog onClose={() => setWriting(false)} />}
    </>
  );
}

/** A list that the tabs can show. */
type TabList = BoardList & { tab: BoardTab };

type BoardProps = {
  list: TabList;
  /** Undefined for a visitor. */
  onWrite?: () => void;
  show: (change: Partial<TabList>) => void;
};

const MemberBoard = (props: BoardProps) => (
  <BoardPage
    {...props}
    board={useMemberBoard(props.list)}
    popular={useMemberBoard(POPULAR, hasPopular(props.list))}
  />
);
const VisitorBoard = (props: BoardProps) => (
  <BoardPage
    {...props}
    board={useVisitorBoard(props.list)}
    popular={useVisitorBoard(POPULAR, hasPopular(props.list))}
  />
);

/** Reports whether the popular stories stand above a list. */
const hasPopular = ({ tab, tag, words }: TabList) => tab === 'all' && !tag && !words;

const isSettled = ({ posts, error }: ShownBoard) => posts !== undefined || error !== null;

type BoardPageProps = BoardProps & { board: ShownBoard; popular: ShownBoard };

function BoardPage({ list, board, popular, onWrite, show }: BoardPageProps) {
  const { me } = useMe();
  const withPopular = hasPopular(list);
  // They appear together, so that the list does not move down.
  const isReady = isSettled(board) && (!withPopular || isSettled(popular));
  if (useServedText(me !== null || isReady)) return <ServedText otherwise={null} />;
  return (
    <Screen
      actions={!me && <SignIn className="max-md:hidden" />}
      back={me ? paths.profile : paths.home}
      title="Community Bulletin Board"
      width="wide"
    >
      <div className="grid items-start gap-x-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="lg:col-start-2 lg:row-start-1">
          <div className="lg:sticky lg:top-24">
            <Invitation onWrite={onWrite} />
          </div>
        </div>
        <div className="min-w-0 lg:row-start-1">
          <SearchField onSearch={(words) => show({ words })} words={list.words} />
          {list.tag && <ChosenTag onRemove={() => show({ tag: '' })} tag={list.tag} />}
          <div className="mt-4">
            <Tabs
              label="Categories"
              onChange={(tab) => show({ tab })}
              tabs={boardTabs.map((each) => ({
                ...each,
                content: (
                  <>
                    {withPopular && isReady && <PopularStrip posts={popular.posts ?? []} />}
                    <PostList {...board} list={list} posts={isReady ? board.posts : undefined} />
                  </>
                ),
              }))}
              value={list.tab}
            />
          </div>
          {/* Below the cards, whose number the skeleton does not know. */}
          {isReady && <BoardQuote />}
        </div>
      </div>
    </Screen>
  );
}

/** The tag of the posts that the board shows. */
const ChosenTag = ({ tag, onRemove }: { tag: string; onRemove: () => void }) => (
  <p className="mt-2 flex items-center justify-between gap-3 rounded-control bg-plum-soft ps-4 text-plum">
    <span className="wrap-anywhere min-w-0 font-medium">
      Stories with <bdi>#{tag}</bdi>
    </span>
    <IconButton icon={X} label={`Show stories without #${tag} too`} onClick={onRemove} />
  </p>
);

/** The way to write, and the pages beside the board. */
function Invitation({ onWrite }: Pick<BoardProps, 'onWrite'>) {
  return (
    <section aria-label="Share your story" className="lg:card mb-2 flex flex-col gap-1 lg:gap-3 lg:p-5">
      <p className={onWrite ? 'hidden text-muted lg:block' : 'mb-2 text-muted'}>
        {onWrite
          ? 'Stories, advice and experience from members like you.'
          : 'Join our community to share your experiences'}
      </p>
      {onWrite ? (
        <Button onClick={onWrite}>
          <PenLine aria-hidden="true" className="size-5" />
          Share Your Story
        </Button>
      ) : (
        <ButtonLink to={paths.signUp}>Sign In to Share Your Story</ButtonLink>
      )}
      <p className="mt-1 text-muted text-sm lg:mt-0">Stories are reviewed before publishing</p>
      <ul className="flex flex-wrap gap-x-6 lg:-mb-2">
        {onWrite && (
          <li>
            <SideLink to={paths.ownPosts}>My stories</SideLink>
          </li>
        )}
        <li>
          <SideLink to={paths.communityRules}>Community rules</SideLink>
        </li>
      </ul>
    </section>
  );
}

const SideLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link
    className="inline-flex min-h-11 items-center font-semibold text-ember-strong text-sm hover:underline"
    to={to}
    viewTransition
  >
    {children}
  </Link>
);

type PostListProps = ShownBoard & { list: BoardList };

function PostList({ posts, error, hasNext, loadNext, refresh, list }: PostListProps) {
  if (posts && (posts.length > 0 || !error))
    return posts.length === 0 ? (
      <NoPosts list={list} />
    ) : (
      <>
        <ul className="flex flex-col gap-5">
          {posts.map((post, index) => (
            <PostItem eager={index < 2} key={post.id} post={post} />
          ))}
        </ul>
        {hasNext && <NextPage loadNext={loadNext} />}
      </>
    );
  if (error)
    return <ErrorState onRetry={refresh} text={describeLoadError(error)} title="Failed to fetch posts" />;
  return <PostsSkeleton />;
}

function NoPosts({ list }: { list: BoardList }) {
  if (list.words)
    return (
      <EmptyState
        art="letters"
        text="Try other words, or another category. Very common words, such as “the” and “with”, are not searched for."
        title={`Nothing found for “${list.words}”`}
      />
    );
  if (list.tag)
    return (
      <EmptyState
        art="letters"
        text="There may be some in another category."
        title={`No stories with #${list.tag}`}
      />
    );
  return (
    <EmptyState
      art="letters"
      text="Be the first to share your journey with the community."
      title="No stories yet"
    />
  );
}
