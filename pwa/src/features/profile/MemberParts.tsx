import { BadgeCheck, Heart } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Photo, Prompt, PublicMember } from '@/api/types.ts';
import { factsOf } from '@/domain/profile/facts.ts';
import { premiumBadges } from '@/domain/profile/premium.ts';
import { listsOf, wordLists } from '@/domain/profile/wordLists.ts';
import { wordsOf } from '@/domain/profile/words.ts';
import { AudioPlayer } from '@/media/index.ts';
import { Badge, Chip, IconButton, type Tone } from '@/ui';

/** A photo or an answer, which can be liked by itself. */
export type LikeTarget = { photo: Photo; prompt?: undefined } | { prompt: Prompt; photo?: undefined };

type FactsProps = {
  member: PublicMember;
  /** Whether the member's badges are shown above the facts. */
  withBadges?: boolean;
};

export function Facts({ member, withBadges = true }: FactsProps) {
  const facts = factsOf(member, 'profile');
  return (
    <section aria-label="At a glance">
      {withBadges && <Badges member={member} />}
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-muted">
        {facts.map(({ icon: Icon, text, label }) => (
          <li className="flex items-center gap-1.5" key={text}>
            <Icon aria-hidden="true" className="size-4.5 shrink-0" />
            {label && <span className="sr-only">{label}: </span>}
            <span>{text}</span>
          </li>
        ))}
      </ul>
      <Chips className="mt-4" label="Looking for" tone="plum" words={lookingFor(member)} />
    </section>
  );
}

function Badges({ member }: { member: PublicMember }) {
  const names = premiumBadges(member);
  if (!member.isVerified && names.length === 0) return null;
  return (
    <div className="mb-2 flex flex-wrap gap-1.5">
      {member.isVerified && (
        <Badge tone="sky">
          <BadgeCheck aria-hidden="true" className="size-4" />
          Verified
        </Badge>
      )}
      {names.map((name) => (
        <Badge key={name} tone={name === 'Premium' ? 'marigold' : 'plum'}>
          {name}
        </Badge>
      ))}
    </div>
  );
}

/** Returns intention tags and relationship goals without duplicates. */
function lookingFor(member: PublicMember): string[] {
  const goals = listsOf('intentions').flatMap((name) => wordsOf(member, name));
  return [...new Set<string>([...member.intentionTags, ...goals])];
}

type ChipsProps = { label: string; words: readonly string[]; tone: Tone; className?: string };

function Chips({ label, words, tone, className }: ChipsProps) {
  if (words.length === 0) return null;
  return (
    <ul aria-label={label} className={`flex flex-wrap gap-2 ${className ?? ''}`}>
      {words.map((word) => (
        <li key={word}>
          <Chip tone={tone}>{word}</Chip>
        </li>
      ))}
    </ul>
  );
}

type OnLike = ((target: LikeTarget) => void) | undefined;

/**
 * Returns the member's texts in the order of the profile: the bio, the answers and the love reflection. `bioTitle`
 * replaces the heading of the bio.
 */
export function textsOf(member: PublicMember, onLike?: OnLike, bioTitle?: string): ReactNode[] {
  const { bio, firstName, loveReflection, prompts } = member;
  return [
    bio && (
      <section className="card p-5" key="bio">
        <h2 className="font-display font-semibold text-lg">
          {bioTitle ?? (
            <>
              About <bdi>{firstName}</bdi>
            </>
          )}
        </h2>
        <p className="mt-2 whitespace-pre-line" dir="auto">
          {bio}
        </p>
      </section>
    ),
    ...prompts.map((prompt) => (
      <Answer firstName={firstName} key={prompt.question} onLike={onLike} prompt={prompt} />
    )),
    loveReflection && (
      <figure className="rounded-card bg-ember-soft p-5 text-ember-strong" key="love">
        <figcaption className="text-sm">What love means to me right now</figcaption>
        <blockquote className="mt-1 font-display text-lg" dir="auto">
          “{loveReflection}”
        </blockquote>
      </figure>
    ),
  ].filter(Boolean);
}

function Answer({ prompt, firstName, onLike }: { prompt: Prompt; firstName: string; onLike: OnLike }) {
  return (
    <section className="card flex items-end justify-between gap-3 p-5">
      <div className="min-w-0 flex-1">
        <h2 className="text-muted text-sm">{prompt.question}</h2>
        {prompt.voice && (
          <AudioPlayer
            className="mt-2"
            label={`${firstName}’s answer to “${prompt.question}”`}
            recording={prompt.voice}
          />
        )}
        {prompt.answer && (
          <p className="mt-1 whitespace-pre-line font-display text-lg" dir="auto">
            {prompt.answer}
          </p>
        )}
      </div>
      {onLike && (
        <IconButton
          className="-me-2 -mb-2"
          icon={Heart}
          label={`Like the answer to “${prompt.question}”`}
          onClick={() => onLike({ prompt })}
        />
      )}
    </section>
  );
}

/** Returns the nodes of both lists alternately, then the rest of the longer one. */
export function interleave(first: readonly ReactNode[], second: readonly ReactNode[]): ReactNode[] {
  const longest = Math.max(first.length, second.length);
  return Array.from({ length: longest }, (_, index) => [first[index], second[index]]).flat();
}

export function Traits({ member }: { member: PublicMember }) {
  const lists = listsOf('traits').filter((name) => wordsOf(member, name).length > 0);
  if (lists.length === 0) return null;
  return (
    <section className="card p-5">
      <h2 className="font-display font-semibold text-lg">What {member.firstName} is like</h2>
      {lists.map((name) => (
        <Chips
          className="mt-3"
          key={name}
          label={wordLists[name].shownAs}
          tone={wordLists[name].tone}
          words={wordsOf(member, name)}
        />
      ))}
    </section>
  );
}
