import { Download } from 'lucide-react';
import { saveFile } from '@/media/saveFile.tsx';
import { Button, Dialog, showFailure } from '@/ui';
import { qrCodeOf, qrFileOf } from './qr.ts';

/** Saves the code as a file. */
const download = (link: string) =>
  saveFile(new File([qrFileOf(link)], 'heartward-invitation.svg', { type: 'image/svg+xml' }));

/** The link as a QR code, for a friend beside the member. It is dark on white in every theme, so that phones read it. */
export function QrDialog({ link, onClose }: { link: string; onClose: () => void }) {
  const { size, path } = qrCodeOf(link);
  return (
    <Dialog
      actions={
        <Button block onClick={() => void download(link).catch(showFailure)} variant="secondary">
          <Download aria-hidden="true" className="size-4.5" />
          Download
        </Button>
      }
      description="Your friend points their phone's camera at it."
      onClose={onClose}
      open
      title="Your link as a QR code"
    >
      <svg
        aria-label={`QR code of ${link}`}
        className="mx-auto block w-full max-w-72 rounded-control bg-on-photo text-photo-shade"
        fill="currentColor"
        role="img"
        shapeRendering="crispEdges"
        viewBox={`0 0 ${size} ${size}`}
      >
        <path d={path} />
      </svg>
      <p className="mt-3 break-all text-center text-muted text-sm">
        <bdi>{link}</bdi>
      </p>
    </Dialog>
  );
}
