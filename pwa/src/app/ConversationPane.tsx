import { CalendarHeart } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useSession } from '@/base/pageSession.ts';
import { DateMessage } from '@/features/dates/DateMessage.tsx';
import { useOpeningLikes } from '@/features/matching/OpeningLikes.tsx';
import type { AddItem } from '@/features/media/ComposerButtons.tsx';
import { MessageAttachments } from '@/features/media/MessageAttachments.tsx';
import { UnsentRecordings } from '@/features/media/UnsentRecordings.tsx';
import { useMediaComposer } from '@/features/media/useMediaComposer.tsx';
import { Conversation } from '@/features/messaging/Conversation.tsx';
import type { FoundConversation } from '@/features/messaging/conversationId.ts';
import {
  type AttachmentsContext,
  type ConversationSlots,
  SlotsProvider,
} from '@/features/messaging/slots.ts';
import { Flagged } from '@/features/moderation/Flagged.tsx';
import { useNudge } from '@/features/moderation/useNudge.tsx';
import { type MenuStep, openMemberMenu } from '@/member-menu/openMenu.ts';
import { useDb } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { ConversationRow, MessageRow } from '@/offline/store/rows.ts';
import { lazyWithRetry } from '@/ui';
import { OpenerSuggestions } from './OpenerSuggestions.tsx';
import { useRequestSender } from './RequestSender.tsx';
import { popForTray } from './sharedPictures.ts';

const PlanSheet = lazyWithRetry(() => import('@/features/dates/PlanSheet.tsx'));

/** The slots that do not change, defined outside the component so that bubbles do not render again. */
const staticSlots: ConversationSlots = {
  suggestion: (conversation) => <OpenerSuggestions conversation={conversation} />,
  dateCard: (row, text) => <DateMessage row={row} text={text} />,
  attachments: (row, about) => <Attachments about={about} row={row} />,
  flagged: (row, children) => <FlaggedMessage row={row}>{children}</FlaggedMessage>,
};

function Attachments({ row, about }: { row: MessageRow; about: AttachmentsContext }) {
  const db = useDb();
  return (
    <MessageAttachments
      onReport={(reported) => void openMenuOf(db, reported, 'report')}
      row={row}
      {...about}
    />
  );
}

function FlaggedMessage({ row, children }: { row: MessageRow; children: ReactNode }) {
  const db = useDb();
  return (
    <Flagged onBothered={() => void openMenuOf(db, row)} row={row}>
      {children}
    </Flagged>
  );
}

/** Opens the member's menu, which can report and block, or one of its steps. */
async function openMenuOf(db: HeartwardDb, { conversationId }: MessageRow, step?: MenuStep): Promise<void> {
  const conversation = await db.conversations.get(conversationId);
  if (conversation) openMemberMenu(conversation.user, 'conversation', step);
}

/** The open conversation, with what other features draw in it. */
export default function ConversationPane({ anyId, found }: { anyId: string; found: FoundConversation }) {
  const [planning, setPlanning] = useState<ConversationRow | null>(null);
  const plan = (conversation: ConversationRow): AddItem => ({
    label: 'Plan a date',
    icon: CalendarHeart,
    onSelect: () => setPlanning(conversation),
  });
  const likes = useOpeningLikes(anyId);
  const opening = useRequestSender(anyId) ?? likes;
  const { filter, question } = useNudge();
  const { open, actions, showPictures, replacement, sheet } = useMediaComposer(anyId, filter);
  // Bubbles render again with new slots, so these change only with the replacement of the text field.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the replacement depends on `open`
  const slots = useMemo(
    (): ConversationSlots => ({
      ...staticSlots,
      opening,
      filter,
      composerActions: ({ conversation, replyTarget }) =>
        // A request allows no dates, recordings or pictures.
        conversation.request === 'none' && actions({ ...conversation, replyTarget }, [plan(conversation)]),
      composerReplacement: replacement,
      composerNotice: ({ conversation, replyTarget }) =>
        !open && (
          <>
            <SharedPictures
              conversationId={conversation.id}
              onReceived={(pictures) => showPictures({ ...conversation, replyTarget }, pictures)}
            />
            <UnsentRecordings to={{ ...conversation, replyTarget }} />
          </>
        ),
    }),
    [open, anyId, opening],
  );
  return (
    <>
      <SlotsProvider value={slots}>
        <Conversation anyId={anyId} found={found} key={anyId} />
      </SlotsProvider>
      {sheet}
      {question}
      {planning && (
        <Suspense fallback={null}>
          <PlanSheet target={{ conversation: planning }} onClose={() => setPlanning(null)} />
        </Suspense>
      )}
    </>
  );
}

type SharedProps = { conversationId: string; onReceived: (pictures: File[]) => void };

/** Opens the tray with pictures that were shared from another app into this conversation. */
function SharedPictures({ conversationId, onReceived }: SharedProps) {
  const session = useSession();
  const receive = useEffectEvent(onReceived);
  useEffect(() => {
    const pictures = popForTray(session, conversationId);
    if (pictures) receive(pictures);
  }, [session, conversationId]);
  return null;
}
