import { type ReactNode, Suspense, useRef, useState } from 'react';
import type { TextFilter } from '@/domain/textFilter.ts';
import { lazyWithRetry, Skeleton } from '@/ui';
import { type AddItem, AddMenu, MicButton } from './ComposerButtons.tsx';
import type { Recipient } from './send.ts';

const VoicePanel = lazyWithRetry(() => import('./VoicePanel.tsx'));
const VideoSheet = lazyWithRetry(() => import('./VideoSheet.tsx'));
const PicturesTray = lazyWithRetry(() => import('./PicturesTray.tsx'));

type OpenPanel =
  | { kind: 'voice' | 'video'; to: Recipient }
  | { kind: 'pictures'; to: Recipient; files: File[] };

/**
 * Voice, video and pictures for the conversation in the address: buttons beside the text field, and the component that
 * replaces it while media are recorded or previewed.
 */
export function useMediaComposer(address: string | undefined, filter?: TextFilter) {
  const [state, setState] = useState<{ open: OpenPanel; address: string | undefined } | null>(null);
  // Another conversation closes the panel; its recording is stored and offered again.
  const open = state?.address === address ? (state?.open ?? null) : null;
  const picker = useRef<HTMLInputElement>(null);
  const pickingFor = useRef<Recipient | null>(null);
  const show = (next: OpenPanel) => setState({ open: next, address });
  const close = () => setState(null);

  function pick(to: Recipient) {
    pickingFor.current = to;
    picker.current?.click();
  }

  /** Returns the buttons; `more` are further items of their menu. */
  const actions = (to: Recipient, more: AddItem[] = []): ReactNode => (
    <>
      <AddMenu more={more} onPictures={() => pick(to)} onVideo={() => show({ kind: 'video', to })} />
      <MicButton onClick={() => show({ kind: 'voice', to })} />
      <input
        accept="image/*"
        aria-label="Choose pictures"
        className="hidden"
        multiple
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          const to = pickingFor.current;
          if (to && files.length > 0) show({ kind: 'pictures', to, files });
        }}
        ref={picker}
        type="file"
      />
    </>
  );

  /** Opens the tray with pictures from another app. */
  const showPictures = (to: Recipient, files: File[]) => show({ kind: 'pictures', to, files });

  return {
    open,
    actions,
    showPictures,
    replacement: renderReplacement(open, close, filter),
    sheet: renderSheet(open, close),
  };
}

const skeleton = <Skeleton className="h-20 rounded-card" />;

function renderReplacement(open: OpenPanel | null, close: () => void, filter?: TextFilter): ReactNode {
  if (open?.kind === 'voice') {
    return (
      <Suspense fallback={skeleton}>
        <VoicePanel onClose={close} to={open.to} />
      </Suspense>
    );
  }
  if (open?.kind === 'pictures') {
    return (
      <Suspense fallback={skeleton}>
        <PicturesTray files={open.files} filter={filter} onClose={close} to={open.to} />
      </Suspense>
    );
  }
  return null;
}

function renderSheet(open: OpenPanel | null, close: () => void): ReactNode {
  if (open?.kind !== 'video') return null;
  return (
    <Suspense fallback={null}>
      <VideoSheet onClose={close} to={open.to} />
    </Suspense>
  );
}
