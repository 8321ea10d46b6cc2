import type { Me, PublicMember, StrangerView } from '@/api/types.ts';
import { paths } from '@/session/paths.ts';
import { useMember } from '@/session/session.ts';
import { ButtonLink } from '@/ui';

const audiences: Record<StrangerView['shownTo'], string> = {
  everyone: 'Anyone here can come across it.',
  liked: 'You are incognito: only people you like, your matches and people you write with can see it.',
  matches: 'It is hidden now: only your matches and people you write with can see it.',
};

type Check = { label: string; text: string; to?: string };

/** What strangers learn of the member, and what stays private. The name and the town are what the server sends them. */
function checksOf(member: PublicMember, me: Me): Check[] {
  const { firstName, fullName, age, city, state, visit } = member;
  const religion = me.religionCounts
    ? 'Not shown. It counts in matching, so it can be guessed from scores.'
    : 'Not shown, and it does not count in matching.';
  return [
    {
      label: 'Name',
      text: fullName === firstName ? `Only “${firstName}”.` : `All of it: “${fullName}”.`,
      to: paths.settingsTab('privacy'),
    },
    { label: 'Age', text: `${age}. Your birthday is not shown.` },
    {
      label: 'Town',
      text: [
        city ? `${[city, state].filter(Boolean).join(', ')}, nothing more exact.` : 'Not shown.',
        visit && `They also see that you're visiting ${visit.city}.`,
      ]
        .filter(Boolean)
        .join(' '),
      to: paths.profile,
    },
    {
      label: 'Activity',
      text: me.hideOnline
        ? 'Nobody sees when you are here.'
        : 'Whether you were here in the last day. People you write with see when you are online.',
      to: paths.settingsTab('privacy'),
    },
    ...(me.religion ? [{ label: 'Religion', text: religion, to: paths.profile }] : []),
    { label: 'Email address', text: 'Not shown to other members.' },
  ];
}

type Viewer = 'stranger' | 'match' | 'blocked';

const headings: Record<Viewer, { label: string; text: string; link: string }> = {
  stranger: { label: 'How strangers see you', text: 'This is how strangers see you.', link: 'A stranger' },
  match: { label: 'How matches see you', text: 'This is how your matches see you.', link: 'A match' },
  blocked: {
    label: 'What a blocked member sees',
    text: 'This is all that someone you blocked, or who blocked you, sees of you.',
    link: 'Someone blocked',
  },
};

type StrangerNoteProps = {
  /** What the viewer gets; undefined for a blocked member, and while it is loading. */
  member?: PublicMember;
  viewer?: Viewer;
  shownTo?: StrangerView['shownTo'] | null;
};

/** Stands above the member's own profile: as whom it is shown, who can see it, and what it tells them. */
export function StrangerNote({ member, viewer = 'stranger', shownTo }: StrangerNoteProps) {
  const me = useMember();
  const { label, text } = headings[viewer];
  return (
    <section aria-label={label} className="mb-5 rounded-card bg-plum-soft px-5 py-3 text-plum">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="py-1 font-medium">
          {text} {shownTo && <span className="font-normal">{audiences[shownTo]}</span>}
        </p>
        <ButtonLink size="sm" to={paths.profile} variant="secondary">
          Back to your profile
        </ButtonLink>
      </div>
      <nav aria-label="See yourself as" className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <span aria-hidden="true">See yourself as</span>
        {(Object.keys(headings) as Viewer[]).map((other) => (
          <ButtonLink
            aria-current={other === viewer ? 'page' : undefined}
            key={other}
            replace
            size="sm"
            to={paths.ownProfileAs(me.id, other)}
            variant={other === viewer ? 'secondary' : 'ghost'}
          >
            {headings[other].link}
          </ButtonLink>
        ))}
      </nav>
      {member && viewer === 'stranger' && <Learned me={me} member={member} />}
    </section>
  );
}

/** What a stranger learns, and where to change it. */
function Learned({ member, me }: { member: PublicMember; me: Me }) {
  return (
    <details className="mt-1">
      <summary className="cursor-pointer py-3 font-semibold text-sm">What they learn about you</summary>
      <dl className="divide-y divide-plum/15 pb-1 text-sm">
        {checksOf(member, me).map(({ label, text, to }) => (
          <div
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-2 sm:grid-cols-[7rem_minmax(0,1fr)_auto]"
            key={label}
          >
            <dt className="font-semibold">{label}</dt>
            <dd className="[overflow-wrap:anywhere] max-sm:row-start-2">{text}</dd>
            {to && (
              <dd className="max-sm:row-span-2 max-sm:row-start-1">
                <ButtonLink aria-label={`Change: ${label}`} size="sm" to={to} variant="ghost">
                  Change
                </ButtonLink>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </details>
  );
}
