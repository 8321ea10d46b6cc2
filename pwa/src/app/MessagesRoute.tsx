import { CalendarHeart } from 'lucide-react';
import { lazy, Suspense, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useParams } from 'react-router';
import { DateMessage } from '@/features/dates/DateMessage.tsx';
import { useMarkMatchSeen } from '@/features/matching/matches.ts';
import type { AddItem } from '@/features/media/ComposerButtons.tsx';
import { LeftRecordings } from '@/features/media/LeftRecordings.tsx';
import { MessageAttachments } from '@/features/media/MessageAttachments.tsx';
import { useMediaComposer } from '@/features/media/useMediaComposer.tsx';
import MessagesScreen from '@/features/messaging/MessagesScreen.tsx';
import type { ConversationSlots } from '@/features/messaging/slots.ts';
import { Flagged } from '@/features/moderation/Flagged.tsx';
import { useNudge } from '@/features/moderation/useNudge.tsx';
import { openMemberMenu } from '@/member-menu/openMenu.ts';
import { getDb } from '@/offline/store/db.ts';
import type { ConversationRow, MessageRow } from '@/offline/store/rows.ts';
import { takeHandedOver } from './sharedPictures.ts';

const Install = lazy(() => import('./Install.tsx'));
const PlanSheet = lazy(() => import('@/features/dates/PlanSheet.tsx'));

/** What other features show within a conversation; kept outside, so that nothing is drawn anew for it. */
const fixed: ConversationSlots = {
  dateCard: (row, words) => <DateMessage row={row} words={words} />,
  attachments: (row, about) => <MessageAttachments row={row} {...about} />,
  flagged: (row, children) => (
    <Flagged onBothered={() => void offerHelp(row)} row={row}>
      {children}
    </Flagged>
  ),
};

/** Report and block stand in the member's menu. */
async function offerHelp({ conversationId }: MessageRow): Promise<void> {
  const conversation = await getDb().conversations.get(conversationId);
  if (conversation) openMemberMenu(conversation.user, 'conversation');
}

/** The conversations; whoever opens one with a new match has seen that match. */
export default function MessagesRoute() {
  const { id } = useParams();
  useMarkMatchSeen(id);
  const [planning, setPlanning] = useState<ConversationRow | null>(null);
  const plan = (conversation: ConversationRow): AddItem => ({
    label: 'Plan a date',
    icon: CalendarHeart,
    onSelect: () => setPlanning(conversation),
  });
  const { filter, question } = useNudge();
  const { open, actions, showPictures, takeover, sheet } = useMediaComposer(id, filter);
  // Bubbles are drawn anew with the slots: only when something else stands in place of the text field.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what stands there depends on what is open
  const slots = useMemo(
    (): ConversationSlots => ({
      ...fixed,
      filter,
      composerActions: ({ conversation, replyTarget }) =>
        // A request is one text; a date, a voice or a picture is for two who both talk.
        conversation.request === 'none' &&
        actions({ conversation: { ...conversation, replyTarget } }, [plan(conversation)]),
      composerReplacement: takeover,
      composerNotice: ({ conversation, replyTarget }) =>
        !open && (
          <>
            <SharedPictures
              conversationId={conversation.id}
              onTaken={(pictures) => showPictures({ ...conversation, replyTarget }, pictures)}
            />
            <LeftRecordings to={{ ...conversation, replyTarget }} />
          </>
        ),
    }),
    [open, id],
  );
  return (
    <>
      <MessagesScreen
        notice={
          <Suspense fallback={null}>
            <Install place="list" />
          </Suspense>
        }
        slots={slots}
      />
      {sheet}
      {question}
      {planning && (
        <Suspense fallback={null}>
          <PlanSheet about={{ conversation: planning }} onClose={() => setPlanning(null)} />
        </Suspense>
      )}
    </>
  );
}

type SharedProps = { conversationId: string; onTaken: (pictures: File[]) => void };

/** Opens the tray with what another app shared and was chosen for this conversation. */
function SharedPictures({ conversationId, onTaken }: SharedProps) {
  const taken = useEffectEvent(onTaken);
  useEffect(() => {
    const pictures = takeHandedOver(conversationId);
    if (pictures) taken(pictures);
  }, [conversationId]);
  return null;
}
