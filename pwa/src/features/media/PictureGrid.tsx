import { lazy, Suspense, useState } from 'react';
import type { Attachment } from '@/api/types.ts';
import { cn, Photo } from '@/ui';
import { useKept } from './useKept.ts';

const Viewer = lazy(() => import('./Viewer.tsx'));

type Props = { files: Attachment[]; mine: boolean; whose: string };

/** All pictures of a message; their places are taken before they come. */
export function PictureGrid({ files, mine, whose }: Props) {
  const [shown, setShown] = useState<number | null>(null);
  const [urls, setUrls] = useState<Record<number, string>>({});
  const single = files.length === 1;
  return (
    <>
      <ul
        className={cn(
          'grid gap-1',
          single ? 'grid-cols-1' : files.length > 4 ? 'grid-cols-3' : 'grid-cols-2',
        )}
      >
        {files.map((file, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a picture keeps its place, its number changes when it is sent
          <li className={cn(widest(files.length, place) && 'col-span-2')} key={place}>
            <Tile
              file={file}
              label={`${whose} picture${single ? '' : ` ${place + 1} of ${files.length}`}`}
              mine={mine}
              onOpen={(url) => {
                setUrls((now) => ({ ...now, [place]: url }));
                setShown(place);
              }}
              ratio={single ? ratioOf(file) : widest(files.length, place) ? 1.9 : 1}
            />
          </li>
        ))}
      </ul>
      {shown !== null && (
        <Suspense fallback={null}>
          <Viewer
            at={shown}
            onClose={() => setShown(null)}
            pictures={files.map((file, place) => ({ ...file, url: file.url || urls[place] || '' }))}
            whose={whose}
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
  onOpen: (url: string) => void;
};

function Tile({ file, label, mine, ratio, onOpen }: TileProps) {
  const kept = useKept(file, mine);
  const url = kept.state === 'kept' ? kept.url : kept.state === 'none' ? (file.thumbUrl ?? file.url) : '';
  return (
    <button
      aria-label={`Look at ${label}`}
      className="block w-full overflow-hidden rounded-[calc(var(--r-card)-8px)]"
      onClick={() => onOpen(kept.state === 'kept' ? kept.url : file.url)}
      style={{ aspectRatio: ratio }}
      type="button"
    >
      <Photo alt={label} placeholder={file.placeholder} ratio="fill" src={url || null} />
    </button>
  );
}

/** Three pictures leave no gap when the first is as wide as the two below it. */
const widest = (count: number, place: number) => count === 3 && place === 0;

/** As it is, but neither a tower nor a ribbon. */
function ratioOf({ width, height }: Attachment): number {
  if (!width || !height) return 1;
  return Math.min(1.9, Math.max(0.7, width / height));
}
