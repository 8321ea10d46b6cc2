import { Eye } from 'lucide-react';
import { useState } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router';
import type { Gender, Me } from '@/api/types.ts';
import { useDb } from '@/offline/store/cached.ts';
import { paths, type StartStep, startSteps } from '@/session/paths.ts';
import { SignOutButton } from '@/session/SignOutButton.tsx';
import { Button, ButtonLink, cn, Screen, ScreenMenu, showFailure, toast, useAction, useRootMark } from '@/ui';
import { useAreWordsLoading } from './profileRequests.ts';
import { GenderStep, PhotoStep, PromptStep, SeekStep } from './StartSteps.tsx';
import { saveAnswers } from './startAnswers.ts';
import { canLeave, hasAnswered, neighbours, steps, stepToResume } from './steps.ts';
import { useProfileDraft } from './useProfileDraft.ts';
import { useStartedMe } from './useStartedMe.ts';
import { useUploads } from './useUploads.ts';

/** /start and /start/:step: the questions of the guided first run, one to a screen, each with its own address. */
export default function StartScreen() {
  const me = useStartedMe();
  const { step } = useParams();
  useRootMark('guided');
  // Also in the first steps, so that the questions are there when the last one needs them.
  useAreWordsLoading();
  if (!me) return null;
  const id = startSteps.find((one) => one === step);
  if (!id) return <Navigate replace to={paths.startStep(stepToResume(me))} />;
  return (
    <ScreenMenu value={null}>
      <Question id={id} key={id} me={me} />
    </ScreenMenu>
  );
}

function Progress({ id }: { id: StartStep }) {
  const { number } = neighbours(id);
  const { text, seenBy } = steps[id];
  return (
    <div className="mb-6">
      <div aria-hidden="true" className="flex gap-1.5">
        {startSteps.map((one, index) => (
          <span
            className={cn('h-1.5 flex-1 rounded-full', index < number ? 'bg-ember' : 'bg-raised')}
            key={one}
          />
        ))}
      </div>
      <p className="mt-3 text-muted text-sm">
        Step {number} of {startSteps.length}
      </p>
      <p className="mt-1">{text}</p>
      <p className="mt-1 flex items-center gap-1.5 text-muted text-sm">
        <Eye aria-hidden="true" className="size-4 shrink-0" />
        {seenBy}
      </p>
    </div>
  );
}

/** Stores the answers to a question; `goOn` also stores the next question as the one reached, and opens it. */
function useAnswers(id: StartStep, stored: Me) {
  const db = useDb();
  const navigate = useNavigate();
  const { after } = neighbours(id);
  // Shown at once, before it is stored.
  const [interestedIn, setInterestedIn] = useState(stored.interestedIn);

  async function saveAndLeave(answers: Parameters<typeof saveAnswers>[1] = {}) {
    await saveAnswers(db, { ...answers, ...progressTo(after, stored) });
    if (!after)
      toast({ title: 'Your profile is ready', description: 'You can change it whenever you like.' });
    await navigate(after ? paths.startStep(after) : paths.discover, { viewTransition: true });
  }
  const [goOn] = useAction(saveAndLeave, { staysBusy: true });

  function changeInterests(chosen: Gender[]): Promise<void> {
    setInterestedIn(chosen);
    return saveAnswers(db, { interestedIn: chosen }).catch(showFailure);
  }

  return { interestedIn, goOn, changeInterests };
}

function Question({ id, me: stored }: { id: StartStep; me: Me }) {
  const draftState = useProfileDraft(stored);
  const { interestedIn, goOn, changeInterests } = useAnswers(id, stored);
  const me = { ...stored, interestedIn };
  // A required question keeps what it opened with: its stored answer allows "Later" a moment before the next question is
  // drawn, and a tap in that moment would lead to people and back. An optional one may open before that answer is read.
  const [wasFree] = useState(() => canLeave(stored));
  const isFree = steps[id].isOptional ? canLeave(stored) : wasFree;

  async function saveTexts() {
    if (await draftState.save(['prompts', 'removedVoiceIds'])) await goOn();
  }

  // The first question of a new member has none: its answers go on.
  const hasButtons = id !== 'gender' || hasAnswered(me, id) || isFree;
  return (
    <Screen
      actions={
        isFree ? (
          <ButtonLink aria-label="Finish later" size="sm" to={paths.discover} variant="ghost">
            Later
          </ButtonLink>
        ) : (
          // The first question has no way back; a desk's navigation can sign out too.
          id === 'gender' && (
            <div className="md:hidden">
              <SignOutButton place="header" />
            </div>
          )
        )
      }
      footer={
        hasButtons && (
          <Buttons
            hasDraft={draftState.draft.prompts.length > 0}
            id={id}
            isBusy={draftState.busy}
            isFree={isFree}
            me={me}
            onContinue={() => (id === 'prompt' ? saveTexts() : goOn())}
            onSkip={() => goOn()}
          />
        )
      }
      tabTitle="Finish your profile"
      title={steps[id].title}
      width="reading"
    >
      <Progress id={id} />
      {id === 'gender' && <GenderStep me={me} onAnswer={goOn} />}
      {id === 'seek' && (
        <SeekStep me={me} onChange={changeInterests} onEveryone={() => goOn({ interestedIn: [] })} />
      )}
      {id === 'photo' && <PhotoStep me={me} />}
      {id === 'prompt' && <PromptStep draftState={draftState} />}
    </Screen>
  );
}

/** Returns what is stored of the way: a new member's next question if it is a later one than before, or the end. */
function progressTo(after: StartStep | undefined, { startStep }: Me) {
  if (!after) return { welcomed: true };
  if (!startStep || startSteps.indexOf(after) <= startSteps.indexOf(startStep)) return {};
  return { startStep: after };
}

type ButtonsProps = {
  id: StartStep;
  me: Me;
  /** Whether a question is chosen that has no saved answer yet. */
  hasDraft: boolean;
  isBusy: boolean;
  /** Whether the member may leave or skip the question. */
  isFree: boolean;
  onContinue: () => void;
  onSkip: () => void;
};

/** The ways on and back. An answer of one tap goes on by itself. */
function Buttons({ id, me, hasDraft, isBusy, isFree, onContinue, onSkip }: ButtonsProps) {
  const navigate = useNavigate();
  const { uploads } = useUploads('photos');
  const { before, after } = neighbours(id);
  const isUploading = id === 'photo' && uploads.length > 0;
  const isAnswered = hasAnswered(me, id) || isUploading;
  const canContinue = isAnswered || id === 'seek' || (id === 'prompt' && hasDraft);
  return (
    <div className="flex flex-wrap gap-2 md:gap-3">
      {before && (
        <Button onClick={() => navigate(paths.startStep(before))} variant="secondary">
          Back
        </Button>
      )}
      {!isAnswered && (steps[id].isOptional || isFree) && (
        <Button aria-label="Skip this step" onClick={onSkip} variant="ghost">
          Skip
        </Button>
      )}
      {canContinue && (
        <Button busy={isBusy} className="flex-1" disabled={id === 'seek' && !isAnswered} onClick={onContinue}>
          {after ? 'Continue' : 'Finish'}
        </Button>
      )}
    </div>
  );
}
