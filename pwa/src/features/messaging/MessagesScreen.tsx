import { ArrowLeft } from 'lucide-react';
import { type ReactNode, Suspense, useRef } from 'react';
import { Link, useParams } from 'react-router';
import { useLive } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import { cn, Illustration, Screen, useMediaQuery, useRootMark } from '@/ui';
import { ConversationList } from './ConversationList.tsx';
import { type FoundConversation, useConversationId } from './conversationId.ts';
import { ConversationSkeleton } from './skeletons.tsx';
import { useKeyboardInset } from './useKeyboardInset.ts';

type MessagesScreenProps = {
  /** Draws the open conversation; `anyId` is the id in the address. It may suspend. */
  conversation: (open: { anyId: string; found: FoundConversation }) => ReactNode;
  /** Shown below the list, so that it shifts no row when it appears late. */
  notice?: ReactNode;
};

/** The list and one conversation, beside the list from 768 px on, instead of it on a phone. */
export default function MessagesScreen({ conversation, notice }: MessagesScreenProps) {
  const { id } = useParams();
  const found = useConversationId(id);
  const pane = useRef<HTMLDivElement>(null);
  const wide = useMediaQuery('(min-width: 768px)');
  useKeyboardInset(pane);
  useRootMark('thread', id !== undefined);
  return (
    <Screen actions={<BackHome />} bare={id !== undefined} title="Messages" width="flush">
      <div className="flex min-h-0 flex-1 md:card md:h-[calc(100dvh-12.25rem-var(--offline-strip,0px))] md:min-h-96 md:short:h-[calc(100dvh-7rem-var(--offline-strip,0px))] md:short:min-h-60 md:flex-none md:overflow-hidden">
        <section
          aria-label="Conversations"
          className={cn(
            'min-w-0 flex-1 flex-col md:flex md:max-w-72 md:overflow-y-auto md:border-line md:border-e lg:max-w-90 md:bg-surface',
            id ? 'hidden' : 'flex',
          )}
        >
          <ConversationList hidden={id !== undefined && !wide} selected={found.id ?? null} />
          <div className="m-3 empty:hidden">{notice}</div>
        </section>
        <div
          className={cn(
            'min-w-0 flex-1 flex-col bg-paper md:flex',
            id
              ? 'fixed inset-x-0 top-[var(--pane-top,0px)] z-40 flex h-[var(--pane-height,100dvh)] md:static md:z-auto md:h-auto'
              : 'hidden',
          )}
          ref={pane}
        >
          {id ? (
            <Suspense fallback={<ConversationSkeleton />}>{conversation({ anyId: id, found })}</Suspense>
          ) : (
            <NoneSelected />
          )}
        </div>
      </div>
    </Screen>
  );
}

const BackHome = () => (
  <Link
    className="hidden h-11 min-w-11 shrink-[99999] md:inline-flex flex-wrap content-start justify-end gap-x-1.5 overflow-hidden whitespace-nowrap rounded-control px-3 leading-11 font-semibold text-ember-strong text-sm hover:bg-ember-soft"
    to={paths.home}
    viewTransition
  >
    <ArrowLeft aria-hidden="true" className="my-3.5 size-4" />
    Back to Home
  </Link>
);

function NoneSelected() {
  const count = useLive((db) => db.conversations.count());
  // The list then says that there are none, and what to do.
  if (count === 0) return null;
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] place-items-center overflow-y-auto p-[24px] text-center">
      <div>
        <Illustration className="mx-auto w-48 max-w-full" name="letters" />
        <p className="mt-4 font-display font-semibold text-xl">Select a conversation</p>
        <p className="mt-1 text-muted">Choose someone on the left to read and write.</p>
      </div>
    </div>
  );
}
