import { Camera, Check, Images, type LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Gender, Me } from '@/api/types.ts';
import { genderPlurals, genders } from '@/domain/profile/labels.ts';
import { useOnline } from '@/offline/device/online.ts';
import { cn, Skeleton } from '@/ui';
import { PickerTile } from './AddTile.tsx';
import { CropSheet } from './CropSheet.tsx';
import { PhotoEditor } from './PhotoEditor.tsx';
import { DraftPrompts } from './PromptEditor.tsx';
import { useAreWordsLoading, useProfileOptions } from './profileRequests.ts';
import { hasAnswered } from './steps.ts';
import type { DraftState } from './useProfileDraft.ts';
import { useUploads } from './useUploads.ts';

const genderWords = Object.keys(genders) as Gender[];

type ChoiceProps = { isChosen: boolean; onClick: () => void; children: ReactNode };

/** A row that is one answer. */
function Choice({ isChosen, onClick, children }: ChoiceProps) {
  return (
    <button
      aria-pressed={isChosen}
      className={cn(
        'flex min-h-14 w-full items-center justify-between gap-3 rounded-card border-2 px-4 py-3 text-start font-semibold transition-colors',
        isChosen
          ? 'border-ember bg-ember-soft text-ember-strong'
          : 'border-control bg-surface hover:bg-raised',
      )}
      onClick={onClick}
      type="button"
    >
      {children}
      <Check
        aria-hidden="true"
        className={cn('size-5 shrink-0', !isChosen && 'invisible')}
        strokeWidth={2.25}
      />
    </button>
  );
}

type GenderStepProps = { me: Me; onAnswer: (answer: { gender: Gender | null }) => void };

/** Who the member is: one tap answers and goes on. */
export function GenderStep({ me, onAnswer }: GenderStepProps) {
  return (
    <div className="flex flex-col gap-3">
      {genderWords.map((gender) => (
        <Choice isChosen={me.gender === gender} key={gender} onClick={() => onAnswer({ gender })}>
          {genders[gender]}
        </Choice>
      ))}
      <Choice
        isChosen={me.gender === null && hasAnswered(me, 'gender')}
        onClick={() => onAnswer({ gender: null })}
      >
        I'd rather not say
      </Choice>
      <p className="text-muted text-sm">
        If you'd rather not say, only people who want to see everyone can find you.
      </p>
    </div>
  );
}

type SeekStepProps = { me: Me; onChange: (genders: Gender[]) => void; onEveryone: () => void };

/** Whom the member wants to see. Each choice is saved at once; everyone is one tap. */
export function SeekStep({ me, onChange, onEveryone }: SeekStepProps) {
  const toggle = (gender: Gender) =>
    onChange(genderWords.filter((word) => me.interestedIn.includes(word) !== (word === gender)));
  return (
    <div className="flex flex-col gap-3">
      {genderWords.map((gender) => (
        <Choice isChosen={me.interestedIn.includes(gender)} key={gender} onClick={() => toggle(gender)}>
          {genderPlurals[gender]}
        </Choice>
      ))}
      <Choice isChosen={me.interestedIn.length === 0 && hasAnswered(me, 'seek')} onClick={onEveryone}>
        Everyone
      </Choice>
    </div>
  );
}

/** The first photo, from the camera or the library; then all of them. */
export function PhotoStep({ me }: { me: Me }) {
  const { uploads, add } = useUploads('photos');
  const [toCrop, setToCrop] = useState<File | null>(null);
  // The editor asks a verified member before a photo that was not compared.
  const hasEditor = me.photos.length + uploads.length > 0 || me.isVerified;
  return (
    <>
      {hasEditor ? (
        <PhotoEditor me={me} />
      ) : (
        <div className="grid gap-3 sm:grid-cols-2">
          <PhotoSource icon={Camera} isCamera label="Take a photo" onFile={setToCrop} />
          <PhotoSource icon={Images} label="Choose from your library" onFile={setToCrop} />
          <p className="text-muted text-sm sm:col-span-2">
            You can do it later. Until then few people will see you: those with a photo and a few words are
            shown first.
          </p>
        </div>
      )}
      {toCrop && (
        <CropSheet
          file={toCrop}
          onResult={(picture) => {
            setToCrop(null);
            if (picture) add(picture);
          }}
          shape="photo"
        />
      )}
    </>
  );
}

type PhotoSourceProps = { label: string; icon: LucideIcon; isCamera?: boolean; onFile: (file: File) => void };

const PhotoSource = ({ onFile, ...props }: PhotoSourceProps) => (
  <PickerTile
    {...props}
    className="min-h-28 p-4"
    iconSize="size-8"
    onFiles={([file]) => file && onFile(file)}
  />
);

/** The first question of each topic, with an example of an answer; then the chosen one. */
export function PromptStep({ draftState }: { draftState: DraftState }) {
  const { draft, set } = draftState;
  const topics = useProfileOptions()?.promptTopics;
  const areLoading = useAreWordsLoading();
  const isOnline = useOnline();
  const [isPicked, setPicked] = useState(false);
  if (draft.prompts.length > 0) return <DraftPrompts {...draftState} isNew={isPicked} />;
  if (!topics && areLoading && isOnline) return <Skeleton className="h-96" />;
  if (!topics)
    return <p className="text-muted">The questions load once you're connected. You can answer one later.</p>;
  return (
    <ul className="flex flex-col gap-3">
      {topics
        .flatMap(({ questions }) => questions.slice(0, 1))
        .map(({ question, example }) => (
          <li key={question}>
            <button
              className="card flex w-full flex-col gap-1 p-4 text-start transition-colors hover:bg-raised"
              onClick={() => {
                setPicked(true);
                set('prompts', [{ question, answer: '', voice: null }]);
              }}
              type="button"
            >
              <span className="font-semibold">{question}</span>
              <span className="text-muted text-sm">For example: {example}</span>
            </button>
          </li>
        ))}
    </ul>
  );
}
