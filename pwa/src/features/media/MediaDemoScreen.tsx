import { SendHorizontal } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { MAX_SEND_MESSAGE_CONTENT } from '@/api/limits.gen.ts';
import { formatTime } from '@/base/format.ts';
import { AudioPlayer, VideoPlayer } from '@/media/index.ts';
import { AutoGrowTextarea, cn, EmptyState, IconButton, lazyWithRetry, Screen, Skeleton } from '@/ui';
import { type DemoItem, revokeDemoUrls, simulateSend, textItem } from './demoTransport.ts';
import { SEND_LABELS } from './recorderLabels.ts';
import { useMediaComposer } from './useMediaComposer.tsx';

const VoiceRecorder = lazyWithRetry(() => import('@/media/VoiceRecorder.tsx'));
const VideoRecorder = lazyWithRetry(() => import('@/media/VideoRecorder.tsx'));

/** Demonstrates voice, video and pictures with the real components and a transport that sends nothing. */
export default function MediaDemoScreen() {
  const [items, setItems] = useState<DemoItem[]>([]);
  const add = (item: DemoItem) => setItems((now) => [item, ...now]);
  useEffect(() => revokeDemoUrls, []);
  return (
    <Screen title="Media demo" width="wide">
      <p className="max-w-2xl text-balance text-lg text-muted">
        A voice tells what words leave out. Say hello in your own, show what's around you, or send the
        pictures of your weekend. What you record here stays on this page: nothing is sent, and it is gone
        when you leave.
      </p>
      <div className="mt-6 grid grid-cols-1 items-start gap-6 md:grid-cols-2">
        <DemoSection text="Listen to it before you send it." title="Voice message">
          <VoiceRecorder
            onSend={async (clip, onProgress) => add(await simulateSend({ kind: 'voice', clip }, onProgress))}
            labels={SEND_LABELS}
          />
        </DemoSection>
        <DemoSection
          className="md:col-start-2 md:row-span-3 md:row-start-1"
          placeholder="mx-auto mb-15 aspect-4/5 max-w-sm"
          text="Watch it before you send it."
          title="Video message"
        >
          <VideoRecorder
            preview={false}
            onSend={async (clip, onProgress) => add(await simulateSend({ kind: 'video', clip }, onProgress))}
            labels={SEND_LABELS}
          />
        </DemoSection>
        <DemoSection
          text="The field under every conversation: words, voice, video, pictures."
          title="All in one place"
        >
          <SampleComposer onSent={add} />
        </DemoSection>
        <DemoSection text="Only on this page, until you leave it." title="Your session">
          {items.length === 0 ? (
            <EmptyState art="letters" text="Record something or write a line." title="Nothing sent yet" />
          ) : (
            <ul className="flex flex-col gap-4">
              {items.map((item, index) => (
                <li key={item.id}>
                  <Item item={item} number={items.length - index} />
                </li>
              ))}
            </ul>
          )}
        </DemoSection>
      </div>
    </Screen>
  );
}

type DemoSectionProps = {
  title: string;
  text: string;
  /** The classes of the placeholder's height. */
  placeholder?: string;
  className?: string;
  children: ReactNode;
};

function DemoSection({ title, text, placeholder = 'h-41', className, children }: DemoSectionProps) {
  return (
    <section aria-label={title} className={cn('card p-5', className)}>
      <h2 className="font-display font-semibold text-xl">{title}</h2>
      <p className="mt-1 mb-4 text-muted text-sm">{text}</p>
      <Suspense fallback={<Skeleton className={cn('rounded-card', placeholder)} />}>{children}</Suspense>
    </section>
  );
}

function SampleComposer({ onSent }: { onSent: (item: DemoItem) => void }) {
  const { actions, replacement, sheet } = useMediaComposer('sample');
  const [text, setText] = useState('');
  const sample = {
    id: 'sample',
    userId: 'sample',
    deliver: async (delivery: Parameters<typeof simulateSend>[0]) => onSent(await simulateSend(delivery)),
  };
  return (
    <>
      <p className="mb-2 font-medium">To Alex, who is only a sample</p>
      {replacement}
      <form
        className={replacement ? 'hidden' : 'flex items-end gap-2'}
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) onSent(textItem(text.trim()));
          setText('');
        }}
      >
        {actions(sample)}
        <AutoGrowTextarea
          aria-label="Message to Alex"
          className="max-h-36 min-h-11 min-w-0 flex-1 resize-none rounded-card border border-control bg-paper px-4 py-2.5 text-base text-ink focus-visible:-outline-offset-2"
          maxLength={MAX_SEND_MESSAGE_CONTENT}
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

function Item({ item, number }: { item: DemoItem; number: number }) {
  const time = <p className="mb-1 text-muted text-xs">{formatTime(item.at.toISOString())}</p>;
  return (
    <>
      {time}
      {item.kind === 'text' && <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{item.text}</p>}
      {item.kind === 'voice' && <AudioPlayer label={`Recording ${number}`} recording={item.recording} />}
      {item.kind === 'video' && (
        <VideoPlayer className="w-56" label={`Recording ${number}`} recording={item.recording} />
      )}
      {item.kind === 'pictures' && (
        <>
          <ul className="flex flex-wrap gap-2">
            {item.urls.map((url, index) => (
              <li key={url}>
                <img alt={`Sent ${index + 1}`} className="size-24 rounded-card object-cover" src={url} />
              </li>
            ))}
          </ul>
          {item.caption && <p className="mt-1 [overflow-wrap:anywhere]">{item.caption}</p>}
        </>
      )}
    </>
  );
}
