import { useState } from 'react';
import type { AuditEntry, ListedMember } from '@/api/types.ts';
import { Button, TextField, useForm } from '@/ui';
import { listMembers } from './adminRequests.ts';

/** A person of the audit log: who did something, or whom it concerned. */
export type AuditPerson = {
  as: 'adminId' | 'subjectId';
  member: NonNullable<AuditEntry['admin']>;
};

/**
 * Finds a person by name or email. The search is that of the list of members, with the name in the body of the request:
 * addresses are logged. An admin whose account is deleted is found in the rows only.
 */
export function PersonSearch({ onChoose }: { onChoose: (person: AuditPerson) => void }) {
  const form = useForm({ search: '' }, { inline: true });
  const [found, setFound] = useState<ListedMember[]>();

  async function find(values: { search: string }) {
    const search = values.search.trim();
    setFound(search ? (await listMembers({ search, sort: 'name' })).items.slice(0, 10) : undefined);
  }

  function choose(as: AuditPerson['as'], { id, fullName }: ListedMember) {
    onChoose({ as, member: { id, fullName } });
    setFound(undefined);
    form.reset({ search: '' });
  }

  return (
    <div className="flex flex-col gap-2">
      <form className="flex items-end gap-2" noValidate onSubmit={form.submit(find)}>
        <TextField label="Name or email" type="search" {...form.field('search')} error={form.error} />
        <Button busy={form.isBusy} type="submit" variant="secondary">
          Find
        </Button>
      </form>
      <div aria-live="polite">
        {found?.length === 0 && <p className="text-muted text-sm">Nobody has this name or email.</p>}
        {found && found.length > 0 && (
          <ul aria-label="Found people" className="flex flex-wrap gap-2">
            {found.map((member) => (
              <li className="flex gap-2" key={member.id}>
                <Button onClick={() => choose('subjectId', member)} size="sm" variant="secondary">
                  About {member.fullName}
                </Button>
                {(member.isAdmin || member.isModerator) && (
                  <Button onClick={() => choose('adminId', member)} size="sm" variant="secondary">
                    By {member.fullName}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
