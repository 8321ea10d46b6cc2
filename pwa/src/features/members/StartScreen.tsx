import { type RefObject, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { describeError } from '@/api/errors.ts';
import type { Me } from '@/api/types.ts';
import type { SendUnsent } from '@/media/RecorderParts.tsx';
import { paths } from '@/session/paths.ts';
import { setMe, useMember } from '@/session/session.ts';
import { Button, ButtonLink, cn, Screen, ScreenMenu, Skeleton, toast, toastError, useRootMark } from '@/ui';
import { fieldsOf } from './draft.ts';
import { GreetingEditor } from './GreetingEditor.tsx';
import { PhotoEditor } from './PhotoEditor.tsx';
import { saveProfile, useAreWordsLoading } from './requests.ts';
import { sections } from './sections.ts';
import { neighbours, type Step, type StepId, steps, stepToResume, storeStep } from './steps.ts';
import { type DraftState, useDraft } from './useDraft.ts';

/** /start: the steps that complete a new profile. They can be left at any time and resumed from the profile. */
export default function StartScreen() {
  const me = useMember();
  const [search, setSearch] = useSearchParams();
  const [first] = useState(() => stepToResume(me));
  const step = steps.find(({ id }) => id === search.get('step')) ?? steps.find(({ id }) => id === first);
  useRootMark('guided');
  if (!step) return null;
  const go = (id: StepId) => {
    storeStep(id);
    setSearch({ step: id });
  };
  return (
    <ScreenMenu value={null}>
      <StepForm go={go} key={step.id} me={me} step={step} />
    </ScreenMenu>
  );
}

function Progress({ step }: { step: Step }) {
  const { number } = neighbours(step.id);
  return (
    <div className="mb-6">
      <div aria-hidden="true" className="flex gap-1.5">
        {steps.map(({ id }, index) => (
          <span
            className={cn('h-1.5 flex-1 rounded-full', index < number ? 'bg-ember' : 'bg-raised')}
            key={id}
          />
        ))}
      </div>
      <p className="mt-3 text-muted text-sm">
        Step {number} of {steps.length}
      </p>
      <h2 className="font-display font-semibold text-2xl">{step.title}</h2>
      <p className="mt-1 text-muted">{step.text}</p>
    </div>
  );
}

type StepFormProps = { step: Step; me: Me; go: (id: StepId) => void };

function StepForm({ step, me, go }: StepFormProps) {
  const draftState = useDraft(me);
  const navigate = useNavigate();
  const [finishing, setFinishing] = useState(false);
  const sendUnsent = useRef<SendUnsent>(null);
  const { before, after } = neighbours(step.id);

  async function finish() {
    setFinishing(true);
    try {
      // A greeting that was recorded and not saved.
      if (sendUnsent.current && !(await sendUnsent.current())) return setFinishing(false);
      await setMe(await saveProfile({ welcomed: true }));
      storeStep(null);
      toast({ title: 'Your profile is ready', description: 'You can change it whenever you like.' });
      await navigate(paths.discover, { viewTransition: true });
    } catch (failure) {
      toastError(describeError(failure));
      setFinishing(false);
    }
  }

  const continueToNext = () => (after ? go(after) : void finish());
  async function save() {
    if (await draftState.save(step.sections.flatMap(fieldsOf))) continueToNext();
  }

  return (
    <Screen
      actions={
        <ButtonLink
          aria-label="Finish later"
          onClick={() => storeStep(step.id)}
          size="sm"
          to={paths.discover}
          variant="ghost"
        >
          Later
        </ButtonLink>
      }
      footer={
        <div className="flex flex-wrap gap-2 md:gap-3">
          {before && (
            <Button onClick={() => go(before)} variant="secondary">
              Back
            </Button>
          )}
          {after && (
            <Button aria-label="Skip this step" onClick={continueToNext} variant="ghost">
              Skip
            </Button>
          )}
          <Button busy={draftState.busy || finishing} className="flex-1" onClick={save}>
            {after ? 'Continue' : 'Finish'}
          </Button>
        </div>
      }
      title="Finish your profile"
      width="reading"
    >
      <Progress step={step} />
      <StepBody draftState={draftState} me={me} sendUnsent={sendUnsent} step={step} />
    </Screen>
  );
}

type StepBodyProps = { step: Step; me: Me; draftState: DraftState; sendUnsent: RefObject<SendUnsent | null> };

function StepBody({ step, me, draftState, sendUnsent }: StepBodyProps) {
  // Also in the first steps, so that the words are loaded when a step needs them.
  const areWordsLoading = useAreWordsLoading();
  if (step.id === 'photos') return <PhotoEditor me={me} />;
  if (step.id === 'voice')
    return <GreetingEditor kind="voice" recording={me.audioGreeting} sendUnsent={sendUnsent} />;
  if (areWordsLoading && step.hasWords) return <FieldsSkeleton />;
  return (
    <div className="flex flex-col gap-8">
      {step.sections.map((id) => {
        const { title, Fields } = sections[id];
        return (
          <section aria-label={title} className="flex flex-col gap-6" key={id}>
            {step.sections.length > 1 && <h3 className="font-display font-semibold text-lg">{title}</h3>}
            <Fields draft={draftState.draft} errors={draftState.errors} set={draftState.set} />
          </section>
        );
      })}
    </div>
  );
}

/** It is as high as the window, so that the buttons below the fields stay at its end. */
function FieldsSkeleton() {
  return (
    <div aria-label="Loading" className="flex min-h-dvh flex-col gap-6" role="status">
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton className="h-20" key={key} />
      ))}
    </div>
  );
}
