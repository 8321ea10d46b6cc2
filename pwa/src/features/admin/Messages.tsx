import { useMember } from '@/session/session.ts';
import { Flags } from './Flags.tsx';
import { MessagesSummary } from './MessagesSummary.tsx';

/** The number of all messages, for admins, and the flagged ones. */
export function Messages({ id }: { id?: string }) {
  const { isAdmin } = useMember();
  return (
    <div className="flex flex-col gap-4">
      {isAdmin && !id && <MessagesSummary />}
      <Flags id={id} />
    </div>
  );
}
