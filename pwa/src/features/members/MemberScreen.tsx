import { useQuery } from '@tanstack/react-query';
import { BadgeCheck, Briefcase, GraduationCap, MapPin, Ruler } from 'lucide-react';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { ApiError, api, unwrap } from '@/api/client.ts';
import type { Compatibility, PublicMember } from '@/api/types.ts';
import { educations, heightText } from '@/api/words.ts';
import { paths } from '@/app/paths.ts';
import { useCached } from '@/offline/cached.ts';
import type { HeartwardDb } from '@/offline/db.ts';
import {
  Badge,
  ButtonLink,
  Chip,
  CompatibilityCard,
  EmptyState,
  ErrorState,
  Photo,
  Screen,
  Skeleton,
} from '@/ui';

type Stored = { member: PublicMember; compatibility: Compatibility | null };

async function readMember(db: HeartwardDb, id: string): Promise<Stored | null> {
  const profile = await db.profiles.get(id);
  const row = (await db.feed.get(['forYou', id])) ?? (await db.feed.get(['discover', id]));
  const member = profile?.member ?? row?.candidate;
  return member ? { member, compatibility: row?.candidate.compatibility ?? null } : null;
}

async function fetchMember(db: HeartwardDb, id: string): Promise<void> {
  const member = await unwrap(api.GET('/api/users/{id}', { params: { path: { id } } }));
  await db.profiles.put({ id, member, fetchedAt: Date.now() });
}

type MemberScreenProps = {
  /** Like, pass, message: put together by the app, which knows the other features. */
  actions: (member: PublicMember) => ReactNode;
};

/** /profile/:id: another member, as much as they show. */
export default function MemberScreen({ actions }: MemberScreenProps) {
  const { id = '' } = useParams();
  const profile = useCached({
    key: ['profile', id],
    read: (db) => readMember(db, id),
    refresh: (db) => fetchMember(db, id),
  });
  const compatibility = useQuery({
    queryKey: ['compatibility', id],
    queryFn: () => unwrap(api.GET('/api/compatibility/{userId}', { params: { path: { userId: id } } })),
    retry: false,
  });

  if (!profile.data)
    return <Absent error={profile.error} loading={profile.state === 'loading'} onRetry={profile.refresh} />;
  const { member } = profile.data;
  const score = compatibility.data ?? profile.data.compatibility;
  return (
    <Screen back={paths.discover} title={`${member.firstName || 'Anonymous'}, ${member.age}`} width="wide">
      <div className="grid gap-6 md:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] md:grid-rows-[auto_1fr]">
        <FirstPhoto member={member} />
        <div className="flex flex-col gap-4 md:col-start-2 md:row-span-2 md:row-start-1">
          <Facts member={member} />
          {actions(member)}
          {score && <CompatibilityCard compatibility={score} />}
          <Words member={member} />
        </div>
        <MorePhotos member={member} />
      </div>
    </Screen>
  );
}

function Absent({ error, loading, onRetry }: { error: Error | null; loading: boolean; onRetry: () => void }) {
  const gone = error instanceof ApiError && error.status === 404;
  return (
    <Screen back={paths.discover} title="Profile">
      {loading && (
        <div className="grid gap-6 md:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
          <Skeleton className="aspect-4/5 rounded-card" />
          <Skeleton className="h-60 rounded-card" />
        </div>
      )}
      {!loading && gone && (
        <EmptyState
          action={<ButtonLink to={paths.discover}>Discover People</ButtonLink>}
          art="people"
          text="They may have paused or left Heartward."
          title="This profile is not here"
        />
      )}
      {!loading && !gone && <ErrorState onRetry={onRetry} title="This profile could not be loaded" />}
    </Screen>
  );
}

function FirstPhoto({ member }: { member: PublicMember }) {
  const [first] = member.photos;
  if (first) return <Photo alt={photoWords(member, 0)} className="rounded-card" eager photo={first} />;
  return (
    <div className="grid aspect-4/5 place-items-center rounded-card bg-plum-soft font-display text-4xl text-plum">
      {member.firstName.charAt(0).toUpperCase()}
    </div>
  );
}

function MorePhotos({ member }: { member: PublicMember }) {
  const others = member.photos.slice(1);
  if (others.length === 0) return null;
  return (
    <div className="grid grid-cols-2 gap-3 self-start">
      {others.map((photo, index) => (
        <Photo alt={photoWords(member, index + 1)} className="rounded-card" key={photo.id} photo={photo} />
      ))}
    </div>
  );
}

function photoWords(member: PublicMember, index: number): string {
  return member.photos[index]?.caption || `${member.firstName}, photo ${index + 1}`;
}

function Facts({ member }: { member: PublicMember }) {
  const facts = [
    { icon: MapPin, text: [member.city, member.state].filter(Boolean).join(', ') },
    { icon: Briefcase, text: member.occupation },
    { icon: GraduationCap, text: member.education ? educations[member.education] : '' },
    { icon: Ruler, text: member.heightCm ? heightText(member.heightCm) : '' },
  ].filter(({ text }) => text);
  return (
    <section aria-label="At a glance">
      {member.isVerified && (
        <Badge className="mb-2" tone="sky">
          <BadgeCheck aria-hidden="true" className="size-4" strokeWidth={1.75} />
          Verified
        </Badge>
      )}
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-muted">
        {facts.map(({ icon: Icon, text }) => (
          <li className="flex items-center gap-1.5" key={text}>
            <Icon aria-hidden="true" className="size-4.5 shrink-0" strokeWidth={1.75} />
            {text}
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        {member.intentionTags.map((tag) => (
          <Chip key={tag} tone="plum">
            {tag}
          </Chip>
        ))}
      </div>
    </section>
  );
}

function Words({ member }: { member: PublicMember }) {
  return (
    <>
      {member.bio && (
        <section className="card p-5">
          <h2 className="font-display font-semibold text-lg">About {member.firstName}</h2>
          <p className="mt-2 whitespace-pre-line">{member.bio}</p>
        </section>
      )}
      {member.loveReflection && (
        <blockquote className="rounded-card bg-ember-soft p-5 font-display text-ember-strong text-lg">
          “{member.loveReflection}”
        </blockquote>
      )}
      {member.prompts.map(({ question, answer }) => (
        <section className="card p-5" key={question}>
          <h2 className="text-muted text-sm">{question}</h2>
          <p className="mt-1 font-display text-lg">{answer}</p>
        </section>
      ))}
    </>
  );
}
