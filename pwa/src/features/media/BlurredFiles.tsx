import { EyeOff } from 'lucide-react';
import type { Attachment } from '@/api/types.ts';
import { Button, cn, Photo } from '@/ui';
import { gridColumns, isWide, tileRatio } from './pictureLayout.ts';

type Props = {
  files: Attachment[];
  possessive: string;
  onShow: () => void;
  onReport: () => void;
};

/**
 * The placeholders of pictures or of a video, in the places of the files, until the member chooses to see them. The
 * files themselves are not fetched.
 */
export function BlurredFiles({ files, possessive, onShow, onReport }: Props) {
  const isVideo = files[0]?.kind === 'video';
  const what = isVideo ? 'video' : files.length === 1 ? 'picture' : `${files.length} pictures`;
  return (
    <div>
      <div className="relative overflow-hidden rounded-[calc(var(--r-card)-8px)]">
        <ul aria-hidden="true" className={cn('grid gap-1', gridColumns(files.length))}>
          {files.map((file, index) => (
            <li
              className={cn(isWide(files.length, index) && 'col-span-2')}
              key={file.id}
              style={{ aspectRatio: isVideo ? 0.8 : tileRatio(files, index) }}
            >
              <Photo alt="" placeholder={file.placeholder} ratio="fill" />
            </li>
          ))}
        </ul>
        <button
          aria-label={`Tap to show ${possessive} ${what}`}
          className="absolute inset-0 grid place-items-center rounded-[inherit]"
          onClick={onShow}
          type="button"
        >
          <span className="inline-flex items-center gap-2 rounded-full bg-surface px-4 py-2 font-semibold text-ink text-sm shadow-float">
            <EyeOff aria-hidden="true" className="size-4 shrink-0" />
            Tap to show
          </span>
        </button>
      </div>
      <div className="flex items-center gap-1 ps-1.5 text-sm">
        <p className="min-w-0 flex-1 py-1.5">Blurred until you choose to look.</p>
        <Button onClick={onReport} size="sm" variant="ghost">
          Report
        </Button>
      </div>
    </div>
  );
}
