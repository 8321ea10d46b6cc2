import { SendHorizontal } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { AudioPlayer, VideoPlayer } from '@/media/index.ts';
import { AutoGrowTextarea, cn, EmptyState, formatTime, IconButton, Screen, Skeleton } from '@/ui';
import { leaveDemo, type Shown, simulate, textShown } from './demo.ts';
import { useMediaComposer } from './useMediaComposer.tsx';
import { SEND } from './words.ts';

const VoiceRecorder = lazy(() => import('@/media/VoiceRecorder.tsx'));
const VideoRecorder = lazy(() => import('@/media/VideoRecorder.tsx'));

/** How voice, video and pictures work here, with the real parts and a transport that sends nothing. */
export default function MediaDemoScreen() {
  const [shown, setShown] = useState<Shown[]>([]);
  const add = (item: Shown) => setShown((now) => [item, ...now]);
  useEffect(() => leaveDemo, []);
  return (
    <Screen title="Media demo" width="wide">
      <p className="max-w-2xl text-balance text-lg text-muted">
        A voice tells what words leave out. Say hello in your own, show where you are, or send the pictures of
        your weekend. What you record here stays on this page: nothing is sent, and it is gone when you leave.
      </p>
      <div className="mt-6 grid items-start gap-6 md:grid-cols-2">
        <Part text="Listen to it before you send it." title="Voice message">
          <VoiceRecorder
            onSend={async (take, onProgress) => add(await simulate({ kind: 'voice', take }, onProgress))}
            words={SEND}
          />
        </Part>
        <Part
          className="md:col-start-2 md:row-span-3 md:row-start-1"
          text="Watch it before you send it."
          title="Video message"
        >
          <VideoRecorder
            onSend={async (take, onProgress) => add(await simulate({ kind: 'video', take }, onProgress))}
            words={SEND}
          />
        </Part>
        <Part
          text="The field under every conversation: words, voice, video, pictures."
          title="All in one place"
        >
          <SampleComposer onSent={add} />
        </Part>
        <Part text="Only on this page, until you leave it." title="Your session">
          {shown.length === 0 ? (
            <EmptyState art="letters" text="Record something or write a line." title="Nothing sent yet" />
          ) : (
            <ul className="flex flex-col gap-4">
              {shown.map((item) => (
                <li key={item.id}>
                  <Item item={item} />
                </li>
              ))}
            </ul>
          )}
        </Part>
      </div>
    </Screen>
  );
}

type PartProps = { title: string; text: string; className?: string; children: ReactNode };

function Part({ title, text, className, children }: PartProps) {
  return (
    <section aria-label={title} className={cn('card p-5', className)}>
      <h2 className="font-display font-semibold text-xl">{title}</h2>
      <p className="mt-1 mb-4 text-muted text-sm">{text}</p>
      <Suspense fallback={<Skeleton className="h-40 rounded-card" />}>{children}</Suspense>
    </section>
  );
}

function SampleComposer({ onSent }: { onSent: (item: Shown) => void }) {
  const { actions, takeover, sheet } = useMediaComposer('sample');
  const [text, setText] = useState('');
  const sample = {
    id: 'sample',
    userId: 'sample',
    deliver: async (delivery: Parameters<typeof simulate>[0]) => onSent(await simulate(delivery)),
  };
  return (
    <>
      <p className="mb-2 font-medium">To Alex, who is only a sample</p>
      {takeover}
      <form
        className={takeover ? 'hidden' : 'flex items-end gap-2'}
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) onSent(textShown(text.trim()));
          setText('');
        }}
      >
        {actions({ conversation: sample })}
        <AutoGrowTextarea
          aria-label="Message to Alex"
          className="max-h-36 min-h-11 min-w-0 flex-1 resize-none rounded-card border border-control bg-paper px-4 py-2.5 text-base text-ink focus-visible:-outline-offset-2"
          maxLength={4000}
          onChange={({ target }) => setText(target.value)}
          placeholder="Write a message"
          rows={1}
          value={text}
        />
        <IconButton disabled={!text.trim()} icon={SendHorizontal} label="Send message" type="submit" />
      </form>
      {sheet}
    </>
  );
}

function Item({ item }: { item: Shown }) {
  const time = <p className="mb-1 text-muted text-xs">{formatTime(item.at.toISOString())}</p>;
  return (
    <>
      {time}
      {item.kind === 'text' && <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{item.text}</p>}
      {item.kind === 'voice' && <AudioPlayer label={`Recording ${item.id}`} recording={item.recording} />}
      {item.kind === 'video' && (
        <VideoPlayer className="w-56" label={`Recording ${item.id}`} recording={item.recording} />
      )}
      {item.kind === 'pictures' && (
        <>
          <ul className="flex flex-wrap gap-2">
            {item.urls.map((url, place) => (
              <li key={url}>
                <img alt={`Sent ${place + 1}`} className="size-24 rounded-card object-cover" src={url} />
              </li>
            ))}
          </ul>
          {item.caption && <p className="mt-1 [overflow-wrap:anywhere]">{item.caption}</p>}
        </>
      )}
    </>
  );
}
