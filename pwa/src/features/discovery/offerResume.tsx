import { api, unwrap } from '@/api/client.ts';
import { setMe } from '@/session/session.ts';
import { Button, toast, useAction } from '@/ui';

/** Says that a paused member cannot like others, with a button that resumes. */
export function offerResume(): void {
  toast({
    title: 'Your profile is paused',
    description: 'Resume it to like others.',
    action: <Resume />,
    duration: 15_000,
  });
}

function Resume() {
  const [resume, { isBusy }] = useAction(async () => {
    await setMe(await unwrap(api.PATCH('/api/users/me', { body: { paused: false } })));
    toast({ title: 'Your profile is no longer paused' });
  });
  return (
    <Button busy={isBusy} onClick={resume} size="sm" variant="secondary">
      Resume
    </Button>
  );
}
