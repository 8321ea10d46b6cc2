import { Check, Clock, Flame } from 'lucide-react';
import { useEffect, useState } from 'react';
import { MAX_DAILY_ENTRY_REFLECTION } from '@/api/limits.gen.ts';
import { formatTime } from '@/base/format.ts';
import { useDb } from '@/offline/store/cached.ts';
import { moods } from '@/offline/store/pulses.ts';
import { Button, cn, TextArea, useAction } from '@/ui';
import { ReadBy } from './About.tsx';
import { questionOf } from './day.ts';
import { MoodPicker } from './MoodPicker.tsx';
import { discardPulse, type ShownEntry, savePulse } from './pulse.ts';
import { type Answer, readPulseDraft, removePulseDraft, storePulseDraft } from './pulseDraft.ts';
import type { Readers } from './together.ts';

type TodayCardProps = {
  today: string;
  entries: readonly ShownEntry[];
  /** Null for a member who does not want to see it. */
  streak: number | null;
  readers: Readers;
};

/**
 * Today's question: the form, or what was saved with a note to come back tomorrow. A form that is being filled in at
 * midnight stays that of its day, which can still be saved.
 */
export function TodayCard({ today, entries, streak, readers }: TodayCardProps) {
  const [day, setDay] = useState(today);
  const [isEditing, setIsEditing] = useState(false);
  const [isDirty, setIsDirty] = useState(false);
  if (day !== today && !isDirty) {
    setDay(today);
    setIsEditing(false);
  }
  const entry = entries.find(({ date }) => date === day);
  const isDone = entry && entry.state !== 'failed';
  return (
    <section aria-labelledby="pulse-question" className="card flex flex-col gap-5 p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="font-medium text-muted text-sm">Today's question</p>
        {streak !== null && <StreakCounter days={streak} />}
      </div>
      {/* No wider than the longest word fits on a phone with large text. */}
      <h2
        className="-mt-3 text-balance font-display font-semibold text-[length:min(1.5rem,8.5vw)] leading-tight"
        id="pulse-question"
      >
        {questionOf(day)}
      </h2>
      {isDone && !isEditing ? (
        <Completed entry={entry} onEdit={() => setIsEditing(true)} />
      ) : (
        <PulseForm
          failure={entry?.state === 'failed' ? (entry.reason ?? '') : undefined}
          key={entry?.state === 'failed' ? `failed ${entry.editedAt}` : day}
          onCancel={isDone ? () => setIsEditing(false) : undefined}
          onDirty={setIsDirty}
          onSaved={() => setIsEditing(false)}
          readers={readers}
          saved={entry ?? null}
          today={day}
        />
      )}
    </section>
  );
}

function StreakCounter({ days }: { days: number }) {
  const text =
    days === 0 ? 'A new streak begins today' : `A streak of ${days} ${days === 1 ? 'day' : 'days'}`;
  return (
    <p className="flex items-center gap-1.5 font-semibold text-sm">
      <Flame aria-hidden="true" className={cn('size-5', days > 0 ? 'text-ember' : 'text-muted')} />
      {text}
    </p>
  );
}

type FormProps = {
  today: string;
  /** What is saved, or was rejected by the server. */
  saved: Answer | null;
  /** Why the server has rejected what was saved before. */
  failure: string | undefined;
  onCancel: (() => void) | undefined;
  onDirty: (isDirty: boolean) => void;
  onSaved: () => void;
  readers: Readers;
};

/** The answer that is being written, which is stored on the device with every change. */
function useAnswer(date: string, saved: Answer | null): [Answer, (next: Partial<Answer>) => void] {
  const db = useDb();
  const [answer, setAnswer] = useState<Answer>(
    () => readPulseDraft(db, date) ?? { mood: saved?.mood ?? null, reflection: saved?.reflection ?? '' },
  );

  function change(next: Partial<Answer>) {
    const changed = { ...answer, ...next };
    setAnswer(changed);
    storePulseDraft(db, { date, ...changed });
  }

  return [answer, change];
}

function PulseForm({ today, saved, failure, onCancel, onDirty, onSaved, readers }: FormProps) {
  const db = useDb();
  const [{ mood, reflection }, change] = useAnswer(today, saved);
  async function savePulseOfDay() {
    if (!mood) return;
    await savePulse(db, today, mood, reflection);
    onSaved();
  }
  const [save, { isBusy }] = useAction(savePulseOfDay, { staysBusy: true });
  const isDirty =
    failure !== undefined || mood !== (saved?.mood ?? null) || reflection !== (saved?.reflection ?? '');

  useEffect(() => {
    onDirty(isDirty && !isBusy);
    return () => onDirty(false);
  }, [onDirty, isDirty, isBusy]);

  function cancel() {
    removePulseDraft(db, today);
    onCancel?.();
  }

  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {failure !== undefined && <Rejected onDiscard={() => void discardPulse(db, today)}>{failure}</Rejected>}
      <MoodPicker onChange={(next) => change({ mood: next })} value={mood} />
      <TextArea
        count={reflection.length}
        hint={<ReadBy readers={readers} />}
        label="Your reflection"
        maxLength={MAX_DAILY_ENTRY_REFLECTION}
        onChange={({ target }) => change({ reflection: target.value })}
        placeholder="A few words are enough."
        value={reflection}
      />
      <div className="flex flex-wrap gap-3">
        <Button
          busy={isBusy}
          className="flex-auto sm:flex-none"
          disabled={!mood || !reflection.trim()}
          type="submit"
        >
          Save Today's Pulse
        </Button>
        {onCancel && (
          <Button onClick={cancel} variant="secondary">
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

/** Why the server has rejected what was saved. */
const Rejected = ({ children, onDiscard }: { children: string; onDiscard: () => void }) => (
  <div className="rounded-control bg-danger-soft p-4 text-sm" role="alert">
    <p>This was not saved. {children}</p>
    <Button className="mt-2" onClick={onDiscard} size="sm" variant="secondary">
      Discard it
    </Button>
  </div>
);

function Completed({ entry, onEdit }: { entry: ShownEntry; onEdit: () => void }) {
  const { emoji, label } = moods[entry.mood];
  return (
    <>
      <div className="rounded-control bg-raised p-4">
        <p className="flex items-center gap-2 font-semibold">
          <span aria-hidden="true" className="text-2xl leading-none">
            {emoji}
          </span>
          {label}
        </p>
        <p className="wrap-anywhere mt-2 whitespace-pre-line" dir="auto">
          {entry.reflection}
        </p>
      </div>
      {entry.isFromOtherDevice && (
        <p className="rounded-control bg-sky-soft p-3 text-sky text-sm" role="status">
          You changed this on another device at {formatTime(new Date(entry.editedAt))}. That is what counts
          now.
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SavedNote isWaiting={entry.state === 'waiting'} />
        <Button onClick={onEdit} variant="secondary">
          Change it
        </Button>
      </div>
    </>
  );
}

function SavedNote({ isWaiting }: { isWaiting: boolean }) {
  const Icon = isWaiting ? Clock : Check;
  return (
    <p className="flex min-w-[min(100%,12rem)] flex-1 items-start gap-2 text-muted text-sm" role="status">
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {isWaiting
        ? "Saved on this device. It will be sent when you're online."
        : 'Saved for today. Come back tomorrow for a new question.'}
    </p>
  );
}
