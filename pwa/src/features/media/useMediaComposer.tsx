import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { Skeleton } from '@/ui';
import { type AddItem, AddMenu, MicButton } from './ComposerButtons.tsx';
import type { Filter, Recipient } from './send.ts';

const VoicePanel = lazy(() => import('./VoicePanel.tsx'));
const VideoSheet = lazy(() => import('./VideoSheet.tsx'));
const PicturesTray = lazy(() => import('./PicturesTray.tsx'));

type Open =
  | { kind: 'voice' | 'video'; conversation: Recipient }
  | { kind: 'pictures'; conversation: Recipient; files: File[] };

type About = { conversation: Recipient };

/**
 * Voice, video and pictures for the conversation in the address: buttons beside the text field, and what stands
 * in its place while something is made or looked at before it is sent.
 */
export function useMediaComposer(address: string | undefined, filter?: Filter) {
  const [state, setState] = useState<{ open: Open; address: string | undefined } | null>(null);
  // Whoever goes to another conversation has left what was open; recordings are kept and offered again.
  const open = state?.address === address ? (state?.open ?? null) : null;
  const picker = useRef<HTMLInputElement>(null);
  const picking = useRef<Recipient | null>(null);
  const show = (next: Open) => setState({ open: next, address });
  const close = () => setState(null);

  function pick(conversation: Recipient) {
    picking.current = conversation;
    picker.current?.click();
  }

  const actions = ({ conversation }: About, more: AddItem[] = []): ReactNode => (
    <>
      <AddMenu
        more={more}
        onPictures={() => pick(conversation)}
        onVideo={() => show({ kind: 'video', conversation })}
      />
      <MicButton onClick={() => show({ kind: 'voice', conversation })} />
      <input
        accept="image/*"
        aria-label="Choose pictures"
        className="hidden"
        multiple
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          const to = picking.current;
          if (to && files.length > 0) show({ kind: 'pictures', conversation: to, files });
        }}
        ref={picker}
        type="file"
      />
    </>
  );

  /** Pictures that were chosen elsewhere, to be looked at before they are sent. */
  const showPictures = (conversation: Recipient, files: File[]) =>
    show({ kind: 'pictures', conversation, files });

  return {
    open,
    actions,
    showPictures,
    takeover: takeoverOf(open, close, filter),
    sheet: sheetOf(open, close),
  };
}

const waiting = <Skeleton className="h-20 rounded-card" />;

function takeoverOf(open: Open | null, close: () => void, filter?: Filter): ReactNode {
  if (open?.kind === 'voice') {
    return (
      <Suspense fallback={waiting}>
        <VoicePanel onClose={close} to={open.conversation} />
      </Suspense>
    );
  }
  if (open?.kind === 'pictures') {
    return (
      <Suspense fallback={waiting}>
        <PicturesTray files={open.files} filter={filter} onClose={close} to={open.conversation} />
      </Suspense>
    );
  }
  return null;
}

function sheetOf(open: Open | null, close: () => void): ReactNode {
  if (open?.kind !== 'video') return null;
  return (
    <Suspense fallback={null}>
      <VideoSheet onClose={close} to={open.conversation} />
    </Suspense>
  );
}
