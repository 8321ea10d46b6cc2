import { Suspense, useState } from 'react';
import type { Attachment } from '@/api/types.ts';
import { cn, lazyWithRetry, Photo } from '@/ui';
import { gridColumns, isWide, pictureLabel, tileRatio } from './pictureLayout.ts';
import { useStoredFile } from './useStoredFile.ts';

const Viewer = lazyWithRetry(() => import('./Viewer.tsx'));

type Props = { files: Attachment[]; mine: boolean; possessive: string };

/** The pictures of a message, with their space reserved before they load. */
export function PictureGrid({ files, mine, possessive }: Props) {
  const [openIndex, setOpenIndex] = useState<number | null>(null);
  return (
    <>
      <ul className={cn('grid gap-1', gridColumns(files.length))}>
        {files.map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed, and the id changes when the picture is sent
          <li className={cn(isWide(files.length, index) && 'col-span-2')} key={index}>
            <Tile
              file={file}
              label={pictureLabel(possessive, index, files.length)}
              mine={mine}
              onOpen={() => setOpenIndex(index)}
              ratio={tileRatio(files, index)}
            />
          </li>
        ))}
      </ul>
      {openIndex !== null && (
        <Suspense fallback={null}>
          <Viewer
            at={openIndex}
            onClose={() => setOpenIndex(null)}
            pictures={files}
            possessive={possessive}
          />
        </Suspense>
      )}
    </>
  );
}

type TileProps = {
  file: Attachment;
  label: string;
  mine: boolean;
  ratio: number;
  onOpen: () => void;
};

function Tile({ file, label, mine, ratio, onOpen }: TileProps) {
  const stored = useStoredFile(file, mine);
  const url =
    stored.state === 'stored' ? stored.url : stored.state === 'none' ? (file.thumbUrl ?? file.url) : '';
  return (
    <button
      aria-label={`Look at ${label}`}
      className="block w-full overflow-hidden rounded-[calc(var(--r-card)-8px)]"
      onClick={onOpen}
      style={{ aspectRatio: ratio }}
      type="button"
    >
      <Photo alt={label} placeholder={file.placeholder} ratio="fill" src={url || null} />
    </button>
  );
}
