import { Check, Copy, Gift } from 'lucide-react';
import { Button, Dialog } from '@/ui';
import { useCopy } from './LinkField.tsx';
import { shareLinks } from './link.ts';

/** Links to share on other sites, which open in a new tab without a referrer. */
export function ShareDialog({ link, onClose }: { link: string; onClose: () => void }) {
  const [copied, copy] = useCopy(link);
  const CopyIcon = copied ? Check : Copy;
  return (
    <Dialog onClose={onClose} open title="Share Your Referral Link">
      <div className="flex items-start gap-4 rounded-card bg-marigold-soft p-4 text-marigold-ink">
        <Gift aria-hidden="true" className="mt-0.5 size-6 shrink-0" />
        <div>
          <p className="font-semibold">Invite a Friend, Get Premium!</p>
          <p className="mt-1 text-sm">
            When your friend has joined and completed their profile, you both get 1 week of premium features
            free.
          </p>
        </div>
      </div>
      <div className="mt-4 grid gap-3 sm:grid-cols-2">
        {shareLinks(link).map(({ name, href }) => (
          <a
            className="inline-flex min-h-11 items-center justify-center rounded-control border border-control bg-surface px-5 font-semibold transition-colors hover:bg-raised"
            href={href}
            key={name}
            rel="noopener noreferrer"
            target="_blank"
          >
            {name}
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        ))}
        <Button onClick={copy}>
          <CopyIcon aria-hidden="true" className="size-4.5" />
          Copy Link
        </Button>
      </div>
    </Dialog>
  );
}
