import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '@/api/client.ts';
import { MAX_REQUEST_BIRTH_DATE_EXPLANATION } from '@/api/limits.gen.ts';
import { queryClient } from '@/session/query.ts';
import { Button, TextArea, useAction } from '@/ui';

const key = ['birth-date'];

/** Asks a moderator for a birthday that the member may not enter, and shows the answer. */
export function BirthDateRequest({
  birthDate,
  mayAsk,
  onAsked,
}: {
  birthDate: string | null;
  /** Whether the member may not enter the birthday without a moderator. */
  mayAsk: boolean;
  onAsked: () => void;
}) {
  const { data } = useQuery({ queryKey: key, queryFn: () => unwrap(api.GET('/api/users/me/birth-date')) });
  const [explanation, setExplanation] = useState('');
  const [ask, { isBusy }] = useAction(async () => {
    const body = { birthDate: birthDate ?? '', explanation };
    queryClient.setQueryData(key, await unwrap(api.PUT('/api/users/me/birth-date', { body })));
    onAsked();
  });
  if (mayAsk)
    return (
      <fieldset className="flex flex-col gap-3">
        <TextArea
          hint="Only a moderator reads this."
          label="Why should it change?"
          maxLength={MAX_REQUEST_BIRTH_DATE_EXPLANATION}
          onChange={(event) => setExplanation(event.target.value)}
          value={explanation}
        />
        <Button busy={isBusy} disabled={!explanation.trim()} onClick={ask} variant="secondary">
          Ask for this birthday
        </Button>
      </fieldset>
    );
  if (data?.status === 'pending')
    return (
      <p className="text-muted" role="status">
        A person will look at your request to correct your birthday. We’ll email you.
      </p>
    );
  return data?.status === 'refused' ? (
    <p className="text-muted">Your birthday stays as it is: {data.answer}</p>
  ) : null;
}
