import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeLoadError } from '@/api/client.ts';
import { MAX_SET_SETTINGS_REASON } from '@/api/limits.gen.ts';
import type { SiteSettings as Values } from '@/api/types.ts';
import { useFailure } from '@/offline/store/cached.ts';
import { queryClient } from '@/session/query.ts';
import { ErrorState, Select, Skeleton, Switch, TextField, toast } from '@/ui';
import { saveSettings, settingsQuery } from './adminRequests.ts';
import { DecisionFrame, useDecision } from './DecisionFrame.tsx';

/** The landing page and the limits of a day. */
export function SiteSettings() {
  const query = useQuery(settingsQuery);
  const failure = useFailure(query);
  return (
    <section className="max-w-2xl">
      <h2 className="font-display font-semibold text-xl">Site</h2>
      <p className="mt-1 mb-4 text-muted">Changes take effect at once, for everyone.</p>
      {failure && (
        <ErrorState
          onRetry={query.refetch}
          text={describeLoadError(failure)}
          title="The settings could not be loaded"
        />
      )}
      {query.isPending && !failure && <Skeleton className="h-80 rounded-card" />}
      {query.data && <Editor key={JSON.stringify(query.data)} stored={query.data} />}
    </section>
  );
}

const variants: Record<Values['landing'], string> = {
  a: 'Slow down. Someone worth meeting is here.',
  b: 'Find Your Soul Connection',
};

function Editor({ stored }: { stored: Values }) {
  const [reviews, setReviews] = useState(stored.profileReview);
  const [landing, setLanding] = useState(stored.landing);
  const [files, setFiles] = useState(String(stored.filesPerDay));
  const [poses, setPoses] = useState(String(stored.posesPerDay));
  const [reason, setReason] = useState('');
  const { send, errors, busy } = useDecision(
    { filesPerDay: files, posesPerDay: poses, reason },
    { isLast: false },
  );

  async function save() {
    const values = {
      profileReview: reviews,
      landing,
      filesPerDay: Number(files),
      posesPerDay: Number(poses),
    };
    if (!(await send(findErrors(files, poses, reason), () => saveSettings(values, reason.trim())))) return;
    toast({ title: 'Settings updated successfully' });
    await queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey });
  }

  return (
    <DecisionFrame busy={busy} error={errors.form} label="Save settings" onSend={save}>
      <Switch
        checked={reviews}
        hint="Nobody sees a new member, or a new first photo, until a moderator has accepted it. When you turn this off, those who wait are shown."
        label={<span className="font-semibold">Review new profiles</span>}
        onChange={setReviews}
      />
      <LandingSelect onChange={setLanding} value={landing} />
      <TextField
        error={errors.filesPerDay}
        hint="How many pictures and recordings a member may add to the profile, from 10 to 60."
        inputMode="numeric"
        label="Files a day"
        onChange={(event) => setFiles(event.target.value)}
        value={files}
      />
      <TextField
        error={errors.posesPerDay}
        hint="How often a member may ask for a pose to be verified, from 1 to 10."
        inputMode="numeric"
        label="Poses a day"
        onChange={(event) => setPoses(event.target.value)}
        value={poses}
      />
      <TextField
        error={errors.reason}
        hint="For the audit log. No member sees it."
        label="Why do you change it?"
        maxLength={MAX_SET_SETTINGS_REASON}
        onChange={(event) => setReason(event.target.value)}
        value={reason}
      />
    </DecisionFrame>
  );
}

type LandingSelectProps = { value: Values['landing']; onChange: (value: Values['landing']) => void };

const LandingSelect = ({ value, onChange }: LandingSelectProps) => (
  <Select
    hint="The words at the head of the page for visitors."
    label="Landing page"
    onChange={({ target }) => onChange(target.value as Values['landing'])}
    value={value}
  >
    {(Object.keys(variants) as Values['landing'][]).map((variant) => (
      <option key={variant} value={variant}>
        {variants[variant]}
      </option>
    ))}
  </Select>
);

function findErrors(filesPerDay: string, posesPerDay: string, reason: string): Record<string, string> {
  const found: Record<string, string> = {};
  if (!isBetween(filesPerDay, 10, 60)) found.filesPerDay = 'Please enter a number from 10 to 60.';
  if (!isBetween(posesPerDay, 1, 10)) found.posesPerDay = 'Please enter a number from 1 to 10.';
  if (!reason.trim()) found.reason = 'Please say why, for the audit log.';
  return found;
}

function isBetween(text: string, min: number, max: number): boolean {
  return /^\d+$/.test(text.trim()) && Number(text) >= min && Number(text) <= max;
}
