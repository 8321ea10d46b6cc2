import { Pencil, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { MAX_EDIT_MOMENT_CAPTION } from '@/api/limits.gen.ts';
import type { Moment } from '@/api/types.ts';
import { formatDate } from '@/base/format.ts';
import { useDb } from '@/offline/store/cached.ts';
import { useMember } from '@/session/session.ts';
import { Button, ConfirmDialog, Dialog, IconButton, TextArea, useAction } from '@/ui';
import { remove, requestConsent, saveCaption } from './moments.ts';
import { Picture } from './Picture.tsx';
import { ShareButtons } from './ShareButtons.tsx';
import { usePictures } from './useMomentPictures.ts';

/** A moment with its picture, its caption and the ways to share it. */
export function MomentCard({ moment }: { moment: Moment }) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const card = useRef<HTMLElement>(null);
  const pictures = usePictures(moment, useMember().firstName, card);
  const { title, caption, createdAt, shareCount } = moment;
  return (
    <article aria-label={title} className="card overflow-hidden" ref={card}>
      <Picture moment={moment} pictures={pictures} />
      <div className="flex flex-col gap-4 p-[20px]">
        <div className="flex flex-wrap items-start gap-2">
          <div className="min-w-0 flex-[1_1_8rem]">
            <h2 className="font-display font-semibold text-lg">{title}</h2>
            <p className="flex flex-wrap gap-x-4 text-muted text-sm">
              <span>{formatDate(createdAt)}</span>
              <span>{shareCount === 1 ? 'Shared once' : `Shared ${shareCount} times`}</span>
            </p>
          </div>
          <IconButton icon={Pencil} label="Edit caption" onClick={() => setDialog('edit')} />
          <IconButton icon={Trash2} label="Delete moment" onClick={() => setDialog('delete')} />
        </div>
        <p className="wrap-anywhere whitespace-pre-line" dir="auto">
          {caption}
        </p>
        <ConsentOfPeer moment={moment} />
        <ShareButtons files={pictures.files} moment={moment} />
      </div>
      {dialog === 'edit' && <CaptionDialog moment={moment} onClose={close} />}
      {dialog === 'delete' && <DeleteMoment moment={moment} onClose={close} />}
    </article>
  );
}

/** Asks to name the other member of a match, or says what they answered. */
function ConsentOfPeer({ moment: { id, momentType, peer, consent } }: { moment: Moment }) {
  const db = useDb();
  const [send, { isBusy }] = useAction(() => requestConsent(db, id));
  if (momentType !== 'match' || !peer) return null;
  const name = <bdi>{peer.firstName}</bdi>;
  if (consent === 'given')
    return <p className="text-muted text-sm">{name} agreed to be named in the pictures that you share.</p>;
  if (consent === 'asked')
    return (
      <p className="text-muted text-sm">
        You asked {name}. Until they agree, the picture does not name them.
      </p>
    );
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-control bg-raised p-3">
      <p className="min-w-0 flex-[1_1_12rem] text-sm">The picture shows no name but yours.</p>
      <Button busy={isBusy} onClick={send} size="sm" variant="secondary">
        <span>Ask {name} to be named</span>
      </Button>
    </div>
  );
}

type DialogProps = { moment: Moment; onClose: () => void };

function CaptionDialog({ moment, onClose }: DialogProps) {
  const db = useDb();
  const [caption, setCaption] = useState(moment.caption);
  const [save, { isBusy }] = useAction(async () => {
    await saveCaption(db, moment.id, caption);
    onClose();
  });
  return (
    <Dialog
      actions={
        <Button busy={isBusy} onClick={save}>
          Save
        </Button>
      }
      onClose={onClose}
      open
      title="Edit caption"
    >
      <TextArea
        hint={`${caption.length} of ${MAX_EDIT_MOMENT_CAPTION} characters`}
        label="Caption"
        maxLength={MAX_EDIT_MOMENT_CAPTION}
        onChange={(event) => setCaption(event.target.value)}
        rows={4}
        value={caption}
      />
    </Dialog>
  );
}

function DeleteMoment({ moment, onClose }: DialogProps) {
  const db = useDb();
  const [confirm, { isBusy }] = useAction(async () => {
    await remove(db, moment.id);
    onClose();
  });
  return (
    <ConfirmDialog
      busy={isBusy}
      cancel="Keep it"
      confirm="Delete"
      description="Its picture and its count are deleted. What you have shared elsewhere stays there."
      onClose={onClose}
      onConfirm={confirm}
      title="Delete this moment?"
    />
  );
}
