import { useMemo } from 'react';
import { useParams } from 'react-router';
import { useSeenByOpening } from '@/features/matching/matches.ts';
import { LeftRecordings } from '@/features/media/LeftRecordings.tsx';
import { MessageAttachments } from '@/features/media/MessageAttachments.tsx';
import { useMediaComposer } from '@/features/media/useMediaComposer.tsx';
import MessagesScreen from '@/features/messaging/MessagesScreen.tsx';
import type { ConversationSlots } from '@/features/messaging/slots.ts';

/** What other features show within a conversation; kept outside, so that nothing is drawn anew for it. */
const fixed: ConversationSlots = {
  attachments: (row, about) => <MessageAttachments row={row} {...about} />,
};

/** The conversations; whoever opens one with a new match has seen that match. */
export default function MessagesRoute() {
  const { id } = useParams();
  useSeenByOpening(id);
  const { open, actions, takeover, sheet } = useMediaComposer(id);
  // Bubbles are drawn anew with the slots: only when something else stands in place of the text field.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what stands there depends on what is open
  const slots = useMemo(
    (): ConversationSlots => ({
      ...fixed,
      composerActions: actions,
      composerTakeover: takeover,
      composerNotice: ({ conversation }) => !open && <LeftRecordings to={conversation} />,
    }),
    [open, id],
  );
  return (
    <>
      <MessagesScreen slots={slots} />
      {sheet}
    </>
  );
}
