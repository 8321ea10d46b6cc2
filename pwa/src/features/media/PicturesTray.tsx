import { ImagePlus, SendHorizontal, X } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { MAX_SEND_MESSAGE_CONTENT } from '@/api/limits.gen.ts';
import { countText } from '@/base/format.ts';
import type { TextFilter } from '@/domain/textFilter.ts';
import { blockReload } from '@/offline/device/serviceWorker.ts';
import { useDb } from '@/offline/store/cached.ts';
import { AutoGrowTextarea, Button, FailureText, IconButton, Skeleton, useAction } from '@/ui';
import { type Recipient, sendPictures } from './send.ts';
import { rethrowForMember } from './sendErrors.ts';
import { MAX_PICTURES } from './sentPictures.ts';
import { usePictures } from './usePictures.ts';

type TrayProps = {
  to: Recipient;
  files: File[];
  onClose: () => void;
  /** Checks the caption, if there is one. */
  filter?: TextFilter;
};

type Pictures = ReturnType<typeof usePictures>;

/** Replaces the text field by the chosen pictures, which can be removed, and a caption. */
export default function PicturesTray({ to, files, onClose, filter }: TrayProps) {
  const prepared = usePictures(files);
  const { pictures, pending } = prepared;
  const caption = useCaption(to, filter);
  const db = useDb();
  const [submit, { isBusy, error }] = useAction(
    async () => {
      if (!(await caption.confirmSend())) return caption.field.current?.focus();
      await sendPictures(db, to, pictures, caption.text).catch(rethrowForMember);
      onClose();
    },
    { inline: true },
  );
  useEffect(() => blockReload(), []);
  // Also when none of the chosen files was a picture.
  const isEmpty = pictures.length === 0 && pending === 0;
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (isEmpty) close();
  }, [isEmpty]);

  return (
    <section aria-label="Pictures to send" className="mx-auto flex max-w-3xl flex-col gap-2 px-1 pb-1">
      <div className="flex items-center justify-between">
        <h2 className="font-semibold text-sm" role="status">
          {countText(pictures.length, 'picture')}
        </h2>
        <IconButton className="-me-2" icon={X} label="Remove all photos" onClick={onClose} />
      </div>
      <Previews {...prepared} />
      <FailureText>{error}</FailureText>
      <div className="flex items-end gap-2">
        <AutoGrowTextarea
          aria-label="Add a caption"
          className="max-h-24 min-h-11 min-w-0 flex-1 resize-none rounded-card border border-control bg-paper px-4 py-2.5 text-base text-ink focus-visible:-outline-offset-2"
          maxLength={MAX_SEND_MESSAGE_CONTENT}
          onChange={({ target }) => caption.write(target.value)}
          placeholder="Add a caption"
          ref={caption.field}
          rows={1}
          value={caption.written}
        />
        <Button busy={isBusy} disabled={pending > 0 || pictures.length === 0} onClick={submit}>
          {!isBusy && <SendHorizontal aria-hidden="true" className="size-5" />}
          Send
        </Button>
      </div>
    </section>
  );
}

type Caption = {
  /** The text in the field. */
  written: string;
  write: (text: string) => void;
  /** The text that is sent, without surrounding blanks. */
  text: string;
  field: RefObject<HTMLTextAreaElement | null>;
  confirmSend: () => Promise<boolean>;
};

function useCaption({ userId }: Recipient, filter?: TextFilter): Caption {
  const [written, write] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const text = written.trim();
  useEffect(() => filter?.onInput({ userId, text }), [filter, userId, text]);
  const confirmSend = async () => !filter || text === '' || filter.confirmSend({ userId, text });
  return { written, write, text, field, confirmSend };
}

function Previews({ pictures, pending, add, remove }: Pictures) {
  return (
    <ul className="flex gap-2 overflow-x-auto pb-1">
      {pictures.map((picture, index) => (
        <Preview
          key={picture.file.localId}
          onRemove={() => remove(picture)}
          index={index + 1}
          url={picture.url}
        />
      ))}
      {Array.from({ length: pending }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the skeletons are identical
        <li aria-hidden="true" key={index}>
          <Skeleton className="size-24 rounded-card" />
        </li>
      ))}
      {pictures.length + pending < MAX_PICTURES && (
        <li>
          <AddPictures onChosen={add} />
        </li>
      )}
    </ul>
  );
}

function Preview({ url, index, onRemove }: { url: string; index: number; onRemove: () => void }) {
  return (
    <li className="relative size-24 shrink-0 overflow-hidden rounded-card bg-plum-soft">
      <img alt={`Chosen ${index}`} className="size-full object-cover" src={url} />
      <button
        aria-label={`Remove picture ${index}`}
        className="absolute top-0 inset-e-0 grid size-11 place-items-center rounded-full"
        onClick={onRemove}
        type="button"
      >
        <span className="grid size-7 place-items-center rounded-full bg-scrim text-on-photo">
          <X aria-hidden="true" className="size-4" />
        </span>
      </button>
    </li>
  );
}

function AddPictures({ onChosen }: { onChosen: (files: File[]) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        aria-label="Add more pictures"
        className="grid size-24 place-items-center rounded-card border border-control border-dashed text-muted hover:bg-raised"
        onClick={() => picker.current?.click()}
        type="button"
      >
        <ImagePlus aria-hidden="true" className="size-6" />
      </button>
      <input
        accept="image/*"
        aria-label="Choose more pictures"
        className="hidden"
        multiple
        onChange={({ currentTarget }) => {
          onChosen([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
        ref={picker}
        type="file"
      />
    </>
  );
}
