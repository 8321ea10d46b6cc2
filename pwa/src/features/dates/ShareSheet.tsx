import { Copy, Share2 } from 'lucide-react';
import { useState } from 'react';
import type { PlannedDate } from '@/api/types.ts';
import { formatDate, formatTime } from '@/base/format.ts';
import { useDb } from '@/offline/store/cached.ts';
import { Button, copyText, Select, Sheet, TextField, toast, useAction } from '@/ui';
import { describeFailure, endSharing, shareDate } from './dates.ts';

const durations = [
  { hours: 6, label: '6 hours' },
  { hours: 12, label: '12 hours' },
  { hours: 24, label: 'A day' },
  { hours: 48, label: '2 days' },
  { hours: 72, label: '3 days' },
];

const formatDateTime = (at: string) => `${formatDate(at)}, ${formatTime(at)}`;

/** The hour of the morning after a date, in the device's time zone. */
const MORNING_HOUR = 10;

/** Returns the whole hours from now until the morning after the date. */
export function hoursUntilMorningAfter(at: string, now = Date.now()): number {
  const morning = new Date(at);
  morning.setDate(morning.getDate() + 1);
  morning.setHours(MORNING_HOUR, 0, 0, 0);
  return Math.max(1, Math.ceil((morning.getTime() - now) / 3_600_000));
}

type ShareSheetProps = { date: PlannedDate; onClose: () => void };

/** Makes a link to the date for a friend, which expires. */
export default function ShareSheet({ date, onClose }: ShareSheetProps) {
  const db = useDb();
  const [morningAfter] = useState(() => hoursUntilMorningAfter(date.at));
  const [hours, setHours] = useState(morningAfter);
  const [link, setLink] = useState<{ url: string; expiresAt: string } | null>(null);
  const { busy, error, run } = useRun();

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
                  await endSharing(db, date);
                  setLink(null);
                  toast({ title: 'Sharing has ended', description: 'The links no longer work.' });
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
              onClick={() => run('make', async () => setLink(await shareDate(db, date, hours)))}
            >
              Make a link
            </Button>
          )}
        </>
      }
      description={`Anyone with the link sees both first names, the place, the time and whether it's still on. Nothing else.`}
      onClose={onClose}
      open
      title="Share with a friend you trust"
    >
      {link ? (
        <ShareLink link={link} place={date.place} />
      ) : (
        <DurationSelect date={date} hours={hours} morningAfter={morningAfter} onChoose={setHours} />
      )}
    </Sheet>
  );
}

type DurationSelectProps = {
  date: PlannedDate;
  hours: number;
  /** The hours until the morning after the date, which are offered first. */
  morningAfter: number;
  onChoose: (hours: number) => void;
};

function DurationSelect({ date, hours, morningAfter, onChoose }: DurationSelectProps) {
  const choices = [
    { hours: morningAfter, label: 'Until the morning after' },
    ...durations.filter((duration) => duration.hours !== morningAfter),
  ];
  const ends = Math.min(Date.now() + hours * 3_600_000, Date.parse(date.at) + 24 * 3_600_000);
  const tooSoon = ends < Date.parse(date.at);
  return (
    <>
      <Select
        hint={`It expires on ${formatDateTime(new Date(ends).toISOString())}.`}
        label="The link works for"
        onChange={({ target }) => onChoose(Number(target.value))}
        value={hours}
      >
        {choices.map((duration) => (
          <option key={duration.hours} value={duration.hours}>
            {duration.label}
          </option>
        ))}
      </Select>
      {tooSoon && (
        <p className="mt-3 rounded-control bg-marigold-soft p-3 text-marigold-ink text-sm">
          This link ends before your date.
        </p>
      )}
      {date.sharedUntil && (
        <p className="mt-3 text-muted text-sm">
          You share this date already, until {formatDateTime(date.sharedUntil)}.
        </p>
      )}
    </>
  );
}

function ShareLink({
  link: { url, expiresAt },
  place,
}: {
  link: { url: string; expiresAt: string };
  place: string;
}) {
  const copy = () =>
    copyText(
      url,
      { title: 'Link copied', description: 'Send it to someone you trust.' },
      'Please copy the link by hand.',
    );
  const canShare = 'share' in navigator;
  return (
    <div className="flex flex-col gap-4">
      <TextField
        hint={`It expires on ${formatDateTime(expiresAt)}. Copy it now; we can't show it again.`}
        label="Your link"
        onFocus={({ currentTarget }) => currentTarget.select()}
        readOnly
        value={url}
      />
      <div className="flex flex-wrap gap-3">
        <Button onClick={copy} variant={canShare ? 'secondary' : 'primary'}>
          <Copy aria-hidden="true" className="size-5" />
          Copy link
        </Button>
        {canShare && (
          <Button
            onClick={() => void navigator.share({ title: `My date: ${place}`, url }).catch(() => undefined)}
          >
            <Share2 aria-hidden="true" className="size-5" />
            Send it
          </Button>
        )}
      </div>
    </div>
  );
}

/** Runs one piece of work at a time; `busy` is the name of the one that runs. */
function useRun() {
  const [run, { running, error }] = useAction((_name: string, work: () => Promise<void>) => work(), {
    inline: true,
    errorText: describeFailure,
  });
  return { busy: running?.[0] ?? '', error, run };
}
