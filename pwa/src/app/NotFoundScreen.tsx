import { paths } from '@/session/paths.ts';
import { ButtonLink, EmptyState, Screen } from '@/ui';

/** Shown for an unknown address, to members within the app's navigation. */
export default function NotFoundScreen() {
  return (
    <Screen title="Page Not Found">
      <EmptyState
        action={<ButtonLink to={paths.home}>Go home</ButtonLink>}
        art="road"
        text="The way home is short."
        title="This road leads nowhere"
      />
    </Screen>
  );
}
