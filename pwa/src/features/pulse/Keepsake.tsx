import { Download, Share2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Together } from '@/api/types.ts';
import { toFile } from '@/media/canvas.ts';
import { canShareFiles, shareOrSave } from '@/media/shareFile.ts';
import { useMember } from '@/session/session.ts';
import { Button, useAction } from '@/ui';
import { drawKeepsake, keepsakeContent, keepsakeSize } from './keepsake.ts';

/** The couple's picture, to save or share. */
export function Keepsake({ together }: { together: Together }) {
  const { firstName } = useMember();
  const ref = useRef<HTMLCanvasElement>(null);
  const content = keepsakeContent(together, firstName);
  const key = JSON.stringify(content);
  useEffect(() => {
    if (ref.current) void drawKeepsake(ref.current, JSON.parse(key)).catch(console.warn);
  }, [key]);

  const hasSheet = canShareFiles();
  const [run, { isBusy }] = useAction(
    async () => {
      if (ref.current) await shareOrSave(await toFile(ref.current, 'heartward-keepsake.png'), content.names);
    },
    { errorText: () => 'The picture could not be made. Please try again.' },
  );
  const Icon = hasSheet ? Share2 : Download;

  return (
    <section aria-labelledby="keepsake" className="card flex flex-wrap items-center gap-4 p-5">
      <canvas
        aria-label={`Picture: ${[content.names, ...content.days].join(', ')}`}
        className="mx-auto aspect-[1080/1350] w-full max-w-56 rounded-control border border-line bg-raised"
        height={keepsakeSize.height}
        ref={ref}
        role="img"
        width={keepsakeSize.width}
      />
      <div className="min-w-[min(100%,14rem)] flex-1">
        <h2 className="font-display font-semibold text-lg" id="keepsake">
          A keepsake
        </h2>
        <p className="mt-1 text-muted">
          A picture of the two of you, in words. It is made on this device, and nobody else sees it until you
          share it.
        </p>
        <Button busy={isBusy} className="mt-3" onClick={() => void run()} variant="secondary">
          <Icon aria-hidden="true" className="size-4.5" />
          {hasSheet ? 'Share the picture' : 'Save the picture'}
        </Button>
      </div>
    </section>
  );
}
