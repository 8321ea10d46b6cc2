import { Copy, Share2 } from 'lucide-react';
import { useState } from 'react';
import type { PlannedDate } from '@/api/types.ts';
import { Button, formatDate, formatTime, Select, Sheet, TextField, toast } from '@/ui';
import { endSharing, share, sorry } from './dates.ts';

const choices = [
  { hours: 6, label: '6 hours' },
  { hours: 12, label: '12 hours' },
  { hours: 24, label: 'A day' },
  { hours: 48, label: '2 days' },
  { hours: 72, label: '3 days' },
];

const said = (at: string) => `${formatDate(at)}, ${formatTime(at)}`;

/** The shortest time that lasts until well after the date, or the longest there is. */
export function fitting(at: string, now = Date.now()): number {
  const needed = (Date.parse(at) - now) / 3_600_000 + 5;
  return choices.find(({ hours }) => hours >= needed)?.hours ?? 72;
}

type ShareSheetProps = { date: PlannedDate; onClose: () => void };

/** A link for a friend the member trusts, which ends by itself. */
export default function ShareSheet({ date, onClose }: ShareSheetProps) {
  const [hours, setHours] = useState(() => fitting(date.at));
  const [link, setLink] = useState<{ url: string; expiresAt: string } | null>(null);
  const { busy, error, run } = useStep();

  return (
    <Sheet
      actions={
        <>
          {error && (
            <p className="basis-full text-danger text-sm" role="alert">
              {error}
            </p>
          )}
          {date.sharedUntil && (
            <Button
              busy={busy === 'end'}
              onClick={() =>
                run('end', async () => {
                  await endSharing(date);
                  setLink(null);
                  toast({ title: 'Sharing has ended', description: 'The links lead nowhere any more.' });
                })
              }
              variant="secondary"
            >
              End sharing
            </Button>
          )}
          {link ? (
            <Button onClick={onClose}>Done</Button>
          ) : (
            <Button
              busy={busy === 'make'}
              onClick={() => run('make', async () => setLink(await share(date, hours)))}
            >
              Make a link
            </Button>
          )}
        </>
      }
      description={`Whoever has the link sees your first name and ${date.user.firstName}'s, the place, the time and whether it still stands. Nothing else.`}
      onClose={onClose}
      open
      title="Share with a friend you trust"
    >
      {link ? (
        <Link link={link} place={date.place} />
      ) : (
        <Choice date={date} hours={hours} onChoose={setHours} />
      )}
    </Sheet>
  );
}

type ChoiceProps = { date: PlannedDate; hours: number; onChoose: (hours: number) => void };

function Choice({ date, hours, onChoose }: ChoiceProps) {
  const ends = Math.min(Date.now() + hours * 3_600_000, Date.parse(date.at) + 24 * 3_600_000);
  const tooSoon = ends < Date.parse(date.at);
  return (
    <>
      <Select
        hint={`It ends on ${said(new Date(ends).toISOString())}.`}
        label="The link works for"
        onChange={({ target }) => onChoose(Number(target.value))}
        value={hours}
      >
        {choices.map((choice) => (
          <option key={choice.hours} value={choice.hours}>
            {choice.label}
          </option>
        ))}
      </Select>
      {tooSoon && (
        <p className="mt-3 rounded-control bg-marigold-soft p-3 text-marigold-ink text-sm">
          That is before the date. You can make another link nearer to it.
        </p>
      )}
      {date.sharedUntil && (
        <p className="mt-3 text-muted text-sm">
          You share this date already, until {said(date.sharedUntil)}.
        </p>
      )}
    </>
  );
}

function Link({
  link: { url, expiresAt },
  place,
}: {
  link: { url: string; expiresAt: string };
  place: string;
}) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(url);
      toast({ title: 'Link copied', description: 'Send it to someone you trust.' });
    } catch {
      toast({ title: 'Copy failed', description: 'Please copy the link by hand.', variant: 'destructive' });
    }
  }
  const canShare = 'share' in navigator;
  return (
    <div className="flex flex-col gap-4">
      <TextField
        hint={`It ends by itself on ${said(expiresAt)}. We show it only now: keep it, or make another.`}
        label="Your link"
        onFocus={({ currentTarget }) => currentTarget.select()}
        readOnly
        value={url}
      />
      <div className="flex flex-wrap gap-3">
        <Button onClick={copy} variant={canShare ? 'secondary' : 'primary'}>
          <Copy aria-hidden="true" className="size-5" strokeWidth={1.75} />
          Copy link
        </Button>
        {canShare && (
          <Button
            onClick={() => void navigator.share({ title: `My date: ${place}`, url }).catch(() => undefined)}
          >
            <Share2 aria-hidden="true" className="size-5" strokeWidth={1.75} />
            Send it
          </Button>
        )}
      </div>
    </div>
  );
}

function useStep() {
  const [busy, setBusy] = useState('');
  const [error, setError] = useState('');
  async function run(name: string, work: () => Promise<void>) {
    setBusy(name);
    setError('');
    try {
      await work();
    } catch (failure) {
      setError(sorry(failure));
    }
    setBusy('');
  }
  return { busy, error, run };
}
