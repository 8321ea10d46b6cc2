import { Copy, Download, Share2 } from 'lucide-react';
import type { Moment } from '@/api/types.ts';
import { canShareFiles, shareOrSave } from '@/media/shareFile.ts';
import { useDb } from '@/offline/store/cached.ts';
import { useMember } from '@/session/session.ts';
import { Button, copyText, useAction } from '@/ui';
import { contentOf, shareLinks } from './content.ts';
import { makeFile, type PictureSize } from './drawing.ts';
import { type Channel, countShare } from './moments.ts';
import type { Pictures } from './useMomentPictures.ts';

const linkClass =
  'inline-flex min-h-11 items-center justify-center rounded-control border border-control bg-surface px-4 font-semibold transition-colors hover:bg-raised';

type ShareButtonsProps = { moment: Moment; files: Pictures['files'] };

/** The ways to share a moment. Each share counts once. */
export function ShareButtons({ moment, files }: ShareButtonsProps) {
  const db = useDb();
  const site = location.origin;
  const links = shareLinks(moment.caption, site);
  const count = (channel: Channel) => void countShare(db, moment.id, channel).catch(console.warn);

  async function copy(text: string, channel: Channel, description: string) {
    const success = { title: 'Caption copied!', description };
    if (await copyText(text, success, 'Please copy the caption manually.')) count(channel);
  }

  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-3">
        <Button
          className="px-3"
          onClick={() => copy(moment.caption, 'stories', 'Paste it in your story, with the tall picture.')}
          variant="secondary"
        >
          Stories
        </Button>
        <Button
          className="px-3"
          onClick={() => copy(`${moment.caption} ${site}`, 'copy', 'Paste it wherever you like.')}
          variant="secondary"
        >
          <Copy aria-hidden="true" className="size-4.5" />
          Copy
        </Button>
        {(['twitter', 'whatsapp'] as const).map((channel) => (
          <a
            className={linkClass}
            href={links[channel]}
            key={channel}
            onClick={() => count(channel)}
            rel="noopener noreferrer"
            target="_blank"
          >
            {channel === 'twitter' ? 'Twitter' : 'WhatsApp'}
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        ))}
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3">
        <PictureButton
          file={files.story}
          label="Tall picture"
          moment={moment}
          onShared={count}
          size="story"
        />
        <PictureButton file={files.post} label="Wide picture" moment={moment} onShared={count} size="post" />
      </div>
    </div>
  );
}

type PictureButtonProps = {
  moment: Moment;
  size: PictureSize;
  file: File | undefined;
  label: string;
  onShared: (channel: Channel) => void;
};

/** Opens the device's share sheet with the picture. Without one the picture is saved as a file, and the caption copied. */
function PictureButton({ moment, size, file, label, onShared }: PictureButtonProps) {
  const { firstName } = useMember();
  const hasSheet = canShareFiles();
  async function share() {
    // A prepared file is shared at once: the browser opens the sheet only shortly after the tap.
    const picture = file ?? (await makeFile(contentOf(moment, firstName), size));
    if (await shareOrSave(picture, moment.caption)) onShared('device');
  }
  const [run, { isBusy }] = useAction(share, {
    errorText: () => 'The picture could not be made. Please try again.',
  });
  const Icon = hasSheet ? Share2 : Download;
  return (
    <Button busy={isBusy} className="px-2" onClick={run} variant="secondary">
      <Icon aria-hidden="true" className="size-4.5" />
      {label}
      <span className="sr-only">{hasSheet ? ' (opens your share sheet)' : ' (saves a file)'}</span>
    </Button>
  );
}
