import { paths } from '@/session/paths.ts';
import { ButtonLink, EmptyState, Screen } from '@/ui';

/** Says that the app is working. */
export default function TestScreen() {
  return (
    <Screen title="Test">
      <EmptyState
        action={
          <ButtonLink to={paths.demos} variant="secondary">
            All demos
          </ButtonLink>
        }
        art="hearts"
        text="Your session, the router and this screen have loaded."
        title="The app is working"
      />
    </Screen>
  );
}
