import { describeLoadError } from '@/api/client.ts';
import type { WallEntry } from '@/api/types.ts';
import { paths } from '@/session/paths.ts';
import { useMe } from '@/session/session.ts';
import { Button, ButtonLink, EmptyState, ErrorState, Photo, Screen, Skeleton, useAction } from '@/ui';
import { ServedText, useServedText } from '@/ui/ServedText.tsx';
import { useLegacyWall } from './graduation.ts';
import { formatMonth } from './month.ts';

/** /legacy-wall: the couples who left dating together and want to be seen. Everyone can read it. */
export default function WallScreen() {
  const { me } = useMe();
  const wall = useLegacyWall();
  const { entries } = wall;
  const [loadNext] = useAction(() => wall.fetchNextPage({ throwOnError: true }));
  if (useServedText(me !== null || entries !== undefined || wall.error !== null))
    return <ServedText otherwise={null} />;
  return (
    <Screen back={me ? paths.graduation : paths.home} title="Legacy Wall" width="wide">
      <p className="mb-5 text-balance text-muted">
        Couples who met on Heartward and left dating together. Each of them chose to be here.
      </p>
      {entries ? (
        <>
          {entries.length === 0 ? (
            <EmptyState
              art="hearts"
              title="No legacy messages yet"
              text="The first couple to graduate will be here."
            />
          ) : (
            <ul className="grid gap-5 pb-6 sm:grid-cols-2 xl:grid-cols-3">
              {entries.map((entry) => (
                <Entry entry={entry} key={entry.id} />
              ))}
            </ul>
          )}
          {wall.hasNextPage && (
            <div className="flex justify-center pb-6">
              <Button busy={wall.isFetchingNextPage} onClick={() => void loadNext()} variant="secondary">
                Show more
              </Button>
            </div>
          )}
          <div className="flex justify-center pb-8">
            {me ? (
              <ButtonLink to={paths.graduation}>Graduate together</ButtonLink>
            ) : (
              <ButtonLink to={paths.signUp}>Join Heartward, it's free</ButtonLink>
            )}
          </div>
        </>
      ) : wall.error ? (
        <ErrorState
          onRetry={() => wall.refetch()}
          text={describeLoadError(wall.error)}
          title="We could not load the wall"
        />
      ) : (
        <WallSkeleton />
      )}
    </Screen>
  );
}

const WallSkeleton = () => (
  <div aria-label="Loading the wall" className="grid gap-5 pb-6 sm:grid-cols-2 xl:grid-cols-3" role="status">
    {['a', 'b', 'c'].map((key) => (
      <Skeleton className="h-80 rounded-card" key={key} />
    ))}
  </div>
);

/** Returns the class of a picture's width: rows of two or three, and none that is not full. */
function spanOf(index: number, count: number): string {
  if (count === 1) return 'col-span-6';
  const isInPair = count === 2 || count === 4 || (count === 5 && index < 2);
  return isInPair ? 'col-span-3' : 'col-span-2';
}

function Entry({
  entry: { firstNames, legacyMessage, graduatedAt, pictures, isSample },
}: {
  entry: WallEntry;
}) {
  const [first, second] = firstNames ?? [];
  return (
    <li className="card overflow-hidden">
      <article>
        {pictures && pictures.length > 0 && (
          <div className="grid grid-cols-6 gap-0.5">
            {pictures.map((picture, index) => (
              <Photo
                alt={`Picture ${index + 1} of ${first} and ${second}`}
                className={spanOf(index, pictures.length)}
                key={picture.id}
                placeholder={picture.placeholder}
                ratio="1/1"
                src={picture.thumbUrl}
              />
            ))}
          </div>
        )}
        <div className="p-5">
          <h2 className="font-display font-semibold text-xl">
            <bdi>{first}</bdi> &amp; <bdi>{second}</bdi>
          </h2>
          <p className="text-muted text-sm">
            Graduated in {formatMonth(graduatedAt)}
            {isSample && ' · Sample'}
          </p>
          {legacyMessage && (
            <p className="wrap-anywhere mt-3 whitespace-pre-line" dir="auto">
              {legacyMessage}
            </p>
          )}
        </div>
      </article>
    </li>
  );
}
