import { useState } from 'react';
import { api, unwrap } from '@/api/client.ts';
import type { OpenedBirthDate } from '@/api/types.ts';
import { MemberLink } from './MemberLink.tsx';
import { OpenForm } from './OpenForm.tsx';
import { Outcome } from './Outcome.tsx';
import { useClaim } from './queueRequests.ts';
import { ReasonedDecision } from './ReasonedDecision.tsx';

const choices = [
  {
    value: 'approve' as const,
    label: 'Approve',
    hint: 'The birthday changes at once, and the verified badge ends.',
  },
  { value: 'refuse' as const, label: 'Refuse', hint: 'It stays as it is. The member sees the reason.' },
];

type Decision = (typeof choices)[number]['value'];

/** A request for another birthday. Both dates are shown after a reason is given, and the outcome after the decision. */
export function BirthDateEntry({ id }: { id: string }) {
  const [opened, setOpened] = useState<OpenedBirthDate>();
  const [decision, setDecision] = useState<Decision>();
  useClaim('birth_date', id, opened);
  const params = { path: { id } };

  async function open(reason: string) {
    setOpened(await unwrap(api.POST('/api/admin/birth-dates/{id}/open', { params, body: { reason } })));
  }

  async function decide(value: Decision, reason: string) {
    const body = { decision: value, reason };
    await unwrap(api.POST('/api/admin/birth-dates/{id}/decide', { params, body }));
    setDecision(value);
  }

  return (
    <article aria-label="Birthday" className="flex flex-col gap-5">
      <section className="card flex flex-col gap-4 p-5">
        <h2 className="font-display font-semibold text-xl" dir="auto">
          {opened ? <MemberLink member={opened.user} /> : 'Another birthday'}
        </h2>
        {opened ? <Dates opened={opened} /> : <OpenForm label="Open request" onOpen={open} />}
      </section>
      {decision ? (
        <Outcome tab="queue" title={decision === 'approve' ? 'Approved' : 'Refused'}>
          <p>The member gets an email about it.</p>
        </Outcome>
      ) : (
        opened && (
          <ReasonedDecision
            choices={choices}
            done={`${opened.user.firstName}'s birthday is decided`}
            hint="A refused member sees it."
            onDecide={decide}
          />
        )
      )}
    </article>
  );
}

function Dates({ opened }: { opened: OpenedBirthDate }) {
  const years = opened.newAge - opened.currentAge;
  const facts: [label: string, text: string][] = [
    ['Now', `${opened.current}, ${opened.currentAge} years${opened.isExact ? '' : ' (from an age)'}`],
    ['Asked for', `${opened.requested}, ${opened.newAge} years`],
    ['Difference', `${Math.abs(years)} years ${years < 0 ? 'younger' : 'older'}`],
    ['Member since', opened.joinedAt.slice(0, 10)],
    ['Why', opened.explanation],
  ];
  return (
    <dl className="flex flex-col gap-3">
      {facts.map(([label, text]) => (
        <div key={label}>
          <dt className="text-muted text-sm">{label}</dt>
          <dd className="wrap-anywhere whitespace-pre-line" dir="auto">
            {text}
          </dd>
        </div>
      ))}
    </dl>
  );
}
