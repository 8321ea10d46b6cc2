import { useState } from 'react';
import { DAY_MS } from '@/base/format.ts';
import { useMember } from '@/session/session.ts';
import { Select } from '@/ui';

const lengths = [1, 3, 7, 30, 90, 365];
const FIRST_LENGTH = 7;
/** The longest suspension by a moderator. */
const MODERATOR_DAYS = 30;

const endAfter = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/** Returns the end of a suspension, as state. It is not computed on sending, so that a repetition has the same end. */
export const useSuspensionEnd = () => useState(() => endAfter(FIRST_LENGTH));

/** The length of a suspension, as its end. */
export function SuspensionSelect({ error, onChange }: { error?: string; onChange: (end: string) => void }) {
  const { isAdmin } = useMember();
  const [days, setDays] = useState(FIRST_LENGTH);
  const allowed = isAdmin ? lengths : lengths.filter((count) => count <= MODERATOR_DAYS);
  return (
    <Select
      error={error}
      label="For"
      onChange={({ target }) => {
        setDays(Number(target.value));
        onChange(endAfter(Number(target.value)));
      }}
      value={days}
    >
      {allowed.map((count) => (
        <option key={count} value={count}>
          {count === 1 ? '1 day' : `${count} days`}
        </option>
      ))}
    </Select>
  );
}
