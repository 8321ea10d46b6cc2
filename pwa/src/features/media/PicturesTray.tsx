import { ImagePlus, SendHorizontal, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { holdUpdate } from '@/offline/serviceWorker.ts';
import { useSettings } from '@/offline/settings.ts';
import { Button, IconButton, Skeleton, toast } from '@/ui';
import { notSent } from './notSent.ts';
import { MOST_PICTURES, type Picture, pictureOf } from './pictures.ts';
import { type Filter, type Recipient, sendPictures } from './send.ts';

type TrayProps = {
  to: Recipient;
  files: File[];
  onClose: () => void;
  /** Asked about the caption, where there is one. */
  filter?: Filter;
};

/** In place of the text field: the chosen pictures, to be taken out again, and a few words with them. */
export default function PicturesTray({ to, files, onClose, filter }: TrayProps) {
  const { pictures, pending, add, remove } = usePictures(files);
  const [caption, setCaption] = useState('');
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState(false);
  const text = caption.trim();
  const picker = useRef<HTMLInputElement>(null);
  const words = useRef<HTMLTextAreaElement>(null);
  useEffect(() => holdUpdate(), []);
  useEffect(() => filter?.writing({ userId: to.userId, text }), [filter, to.userId, text]);
  const nothing = pictures.length === 0 && pending === 0;
  const leave = useEffectEvent(onClose);
  useEffect(() => {
    if (nothing) leave();
  }, [nothing]);

  async function submit() {
    setBusy(true);
    if (text && filter && !(await filter.mayGo({ userId: to.userId, text }))) {
      setBusy(false);
      return words.current?.focus();
    }
    try {
      await sendPictures(to, pictures, text).catch(notSent);
      onClose();
    } catch (error) {
      setFailure((error as Error).message);
      setBusy(false);
    }
  }

  return (
    <section aria-label="Pictures to send" className="mx-auto flex max-w-3xl flex-col gap-2 px-1 pb-1">
      <div className="flex items-center justify-between">
        <h2 className="font-semibold text-sm" role="status">
          {pictures.length === 1 ? '1 picture' : `${pictures.length} pictures`}
        </h2>
        <IconButton className="-mr-2" icon={X} label="Put them away" onClick={onClose} />
      </div>
      <ul className="flex gap-2 overflow-x-auto pb-1">
        {pictures.map((picture, place) => (
          <Preview
            key={picture.file.localId}
            onRemove={() => remove(picture)}
            place={place + 1}
            url={picture.url}
          />
        ))}
        {Array.from({ length: pending }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one like the other
          <li aria-hidden="true" key={place}>
            <Skeleton className="size-24 rounded-card" />
          </li>
        ))}
        {pictures.length + pending < MOST_PICTURES && (
          <li>
            <button
              aria-label="Add more pictures"
              className="grid size-24 place-items-center rounded-card border border-control border-dashed text-muted hover:bg-raised"
              onClick={() => picker.current?.click()}
              type="button"
            >
              <ImagePlus aria-hidden="true" className="size-6" strokeWidth={1.75} />
            </button>
          </li>
        )}
      </ul>
      {failure && (
        <p className="text-danger text-sm" role="alert">
          {failure}
        </p>
      )}
      <div className="flex items-end gap-2">
        <textarea
          aria-label="Add a caption"
          className="field-sizing-content max-h-24 min-h-11 min-w-0 flex-1 resize-none rounded-card border border-control bg-paper px-4 py-2.5 text-base text-ink focus-visible:-outline-offset-2"
          maxLength={4000}
          onChange={({ target }) => setCaption(target.value)}
          placeholder="Add a caption"
          ref={words}
          rows={1}
          value={caption}
        />
        <Button busy={busy} disabled={pending > 0 || pictures.length === 0} onClick={submit}>
          {!busy && <SendHorizontal aria-hidden="true" className="size-5" strokeWidth={1.75} />}
          Send
        </Button>
      </div>
      <input
        accept="image/*"
        aria-label="Choose more pictures"
        className="hidden"
        multiple
        onChange={({ currentTarget }) => {
          add([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
        ref={picker}
        type="file"
      />
    </section>
  );
}

function Preview({ url, place, onRemove }: { url: string; place: number; onRemove: () => void }) {
  return (
    <li className="relative size-24 shrink-0 overflow-hidden rounded-card bg-plum-soft">
      <img alt={`Chosen ${place}`} className="size-full object-cover" src={url} />
      <button
        aria-label={`Remove picture ${place}`}
        className="absolute top-0 right-0 grid size-11 place-items-center rounded-full"
        onClick={onRemove}
        type="button"
      >
        <span className="grid size-7 place-items-center rounded-full bg-scrim text-on-photo">
          <X aria-hidden="true" className="size-4" strokeWidth={1.75} />
        </span>
      </button>
    </li>
  );
}

function within(files: File[], room: number): File[] {
  if (files.length > room) toast({ title: `Up to ${MOST_PICTURES} pictures at once` });
  return files.slice(0, room);
}

/** The chosen files as pictures, in their order, as they get ready. */
function usePictures(first: File[]) {
  const { highQualityMedia } = useSettings();
  const [pictures, setPictures] = useState<Picture[]>([]);
  const [pending, setPending] = useState(Math.min(first.length, MOST_PICTURES));
  const made = useRef<string[]>([]);
  const here = useRef(false);

  function add(files: File[]) {
    const taken = within(files, MOST_PICTURES - pictures.length - pending);
    setPending((count) => count + taken.length);
    void prepare(taken);
  }

  async function prepare(taken: File[]) {
    for (const file of taken) {
      const picture = await pictureOf(file, highQualityMedia ? 'high' : 'low');
      if (!here.current) return;
      setPending((count) => count - 1);
      if (picture) {
        made.current.push(picture.url);
        setPictures((now) => [...now, picture]);
      } else
        toast({
          variant: 'destructive',
          title: 'This file cannot be sent',
          description: `${file.name} is no picture, or larger than 25 MB.`,
        });
    }
  }

  const begin = useEffectEvent(() => void prepare(within(first, MOST_PICTURES)));
  useEffect(() => {
    here.current = true;
    begin();
    return () => {
      here.current = false;
      for (const url of made.current) URL.revokeObjectURL(url);
    };
  }, []);

  return {
    pictures,
    pending,
    add,
    remove: (gone: Picture) => setPictures((now) => now.filter((one) => one !== gone)),
  };
}
