import { useState } from 'react';
import { enterInvitation, findCode, invitation } from '@/session/invitation.ts';
import { TextField } from '@/ui';

/**
 * A folded field for the code that a friend has told, open with the code of a link. Each change is stored at once, as a
 * link's code is, so that it survives the installation of the app. It never prevents the sign-up.
 */
export function InvitationCode() {
  const [initial] = useState(invitation);
  const [text, setText] = useState(initial ?? '');

  function change(next: string) {
    setText(next);
    enterInvitation(next);
  }

  return (
    <details className="card group px-4" open={initial !== undefined}>
      <summary className="flex min-h-12 cursor-pointer items-center justify-between gap-4 font-medium text-sm marker:content-none">
        I have an invitation code
        <span aria-hidden="true" className="text-ember text-xl transition-transform group-open:rotate-45">
          +
        </span>
      </summary>
      <div className="pb-4">
        <TextField
          autoCapitalize="characters"
          autoComplete="off"
          className="uppercase tracking-wider"
          hint={
            text.trim() === '' || findCode(text)
              ? 'When your profile is complete, you and your friend both get a week of Premium.'
              : 'That is not a whole code yet: it has 8 or 12 letters and numbers. You can also sign up without one.'
          }
          label="Invitation code (optional)"
          maxLength={300}
          onChange={({ target }) => change(target.value)}
          spellCheck={false}
          value={text}
        />
      </div>
    </details>
  );
}
