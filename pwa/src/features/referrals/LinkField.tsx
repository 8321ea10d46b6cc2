import { Check, Copy, QrCode, Share2 } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { Button, IconButton, lazyWithRetry, Skeleton } from '@/ui';
import { invitationText, linkOf } from './link.ts';
import { copyLink } from './referrals.ts';

const COPIED_TICK_MS = 2000;

// With the encoder, which only this dialog needs.
const QrDialog = lazyWithRetry(() =>
  import('./QrDialog.tsx').then(({ QrDialog }) => ({ default: QrDialog })),
);

/** Returns a function that copies the link, and a flag that is true for two seconds after it succeeded. */
export function useCopy(link: string): [boolean, () => Promise<void>] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_TICK_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return [copied, async () => setCopied(await copyLink(link))];
}

/** The referral link with buttons to copy and share it, and its code to tell; `code` is undefined until it has loaded. */
export function LinkField({ code, onShareTo }: { code: string | undefined; onShareTo: () => void }) {
  const link = code && linkOf(code, location.origin);
  const [copied, copy] = useCopy(link ?? '');
  const [showsCode, setShowsCode] = useState(false);

  async function share() {
    try {
      if (!navigator.share) return await copy();
      await navigator.share({ title: 'Heartward', text: invitationText, url: link });
    } catch (failure) {
      // An AbortError means that the member closed the sheet. After any other error the link is copied instead.
      if (!(failure instanceof DOMException && failure.name === 'AbortError')) await copy();
    }
  }

  if (!code || !link) return <LinkSkeleton />;
  return (
    <>
      <ReadOnlyLink isCopied={copied} link={link} onCopy={copy} />
      <div className="mt-3 flex flex-wrap gap-3">
        <Button className="flex-auto" onClick={share}>
          <Share2 aria-hidden="true" className="size-4.5" />
          Share Link
        </Button>
        <Button className="flex-auto" onClick={onShareTo} variant="secondary">
          More ways
        </Button>
        <Button
          aria-haspopup="dialog"
          className="flex-auto"
          onClick={() => setShowsCode(true)}
          variant="secondary"
        >
          <QrCode aria-hidden="true" className="size-4.5" />
          QR code
        </Button>
      </div>
      <p className="mt-3 text-muted text-sm">
        Or tell a friend your code:{' '}
        <strong className="whitespace-nowrap font-semibold text-ink tracking-wider">
          {code.replace(/^.{4}/, '$& ')}
        </strong>
      </p>
      {showsCode && (
        <Suspense fallback={null}>
          <QrDialog link={link} onClose={() => setShowsCode(false)} />
        </Suspense>
      )}
    </>
  );
}

const LinkSkeleton = () => (
  <div aria-label="Loading your link" role="status">
    <Skeleton className="h-11.5" />
    <Skeleton className="mt-3 h-25 min-[520px]:h-11" />
    <Skeleton className="mt-3 h-5 w-64" />
  </div>
);

type ReadOnlyLinkProps = { link: string; isCopied: boolean; onCopy: () => void };

const ReadOnlyLink = ({ link, isCopied, onCopy }: ReadOnlyLinkProps) => (
  <div className="flex items-center gap-1 rounded-control border border-control bg-surface pe-1 ps-4">
    <input
      aria-label="Your referral link"
      className="min-h-11 min-w-0 flex-1 truncate rounded-control bg-transparent"
      onFocus={({ currentTarget }) => currentTarget.select()}
      readOnly
      value={link}
    />
    <IconButton
      icon={isCopied ? Check : Copy}
      label={isCopied ? 'Link copied' : 'Copy link'}
      onClick={onCopy}
    />
  </div>
);
