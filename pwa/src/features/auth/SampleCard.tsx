import { MapPin } from 'lucide-react';
import { Chip, cn } from '@/ui';

type SampleCardProps = {
  name: string;
  town: string;
  tags: string[];
  scene: 'evening' | 'morning';
  className?: string;
};

/** A drawn profile card of a fictional member for the landing page. */
export function SampleCard({ name, town, tags, scene, className }: SampleCardProps) {
  return (
    <div className={cn('card overflow-hidden shadow-float', className)}>
      <Portrait scene={scene} />
      <div className="p-4">
        <p className="font-display font-semibold text-xl">{name}</p>
        <p className="mt-0.5 flex items-center gap-1 text-muted text-sm">
          <MapPin aria-hidden="true" className="size-4" strokeWidth={1.75} />
          {town}
        </p>
        <div className="mt-3 flex flex-wrap gap-1.5">
          {tags.map((tag) => (
            <Chip key={tag} tone="plum">
              {tag}
            </Chip>
          ))}
        </div>
      </div>
    </div>
  );
}

function Portrait({ scene }: { scene: SampleCardProps['scene'] }) {
  const evening = scene === 'evening';
  return (
    // The portrait has the light theme's colours in every theme.
    <svg aria-hidden="true" className="block w-full" data-theme="light" viewBox="0 0 240 240">
      <path className={evening ? 'fill-plum-soft' : 'fill-sage-soft'} d="M0 0h240v240H0Z" />
      <circle className="fill-marigold-soft" cx={evening ? 176 : 64} cy="70" r="44" />
      {evening ? (
        <path className="fill-plum" d="M74 240c-14-60-18-166 46-170 66-4 66 112 50 170Z" />
      ) : (
        <path className="fill-ink" d="M78 108c-8-44 22-62 46-60 28-6 52 20 40 62Z" />
      )}
      <path className={evening ? 'fill-ember' : 'fill-sage'} d="M44 240c2-44 32-62 76-62s74 18 76 62Z" />
      <path className="fill-marigold" d="M106 150h28v30a14 14 0 0 1-28 0Z" />
      <ellipse className="fill-marigold-soft" cx="120" cy="126" rx="34" ry="42" />
      {evening ? (
        <path
          className="fill-plum"
          d="M84 126c-2-36 16-48 40-46 20 0 34 14 32 46-6-20-20-30-34-32-16 4-32 12-38 32Z"
        />
      ) : (
        <>
          <path
            className="fill-ink"
            d="M84 116c0-30 14-42 38-42s36 14 34 42c-8-14-14-20-20-22-18 6-40 4-52 22Z"
          />
          <path className="fill-ink" d="M87 134c4 34 18 40 33 40s29-6 33-40c-8 14-20 16-33 16s-25-2-33-16Z" />
        </>
      )}
      <path
        className="stroke-ink"
        d={
          evening
            ? 'M103 122q5-5 10 0M129 122q5-5 10 0M108 146q12 10 24 0'
            : 'M103 122q5-5 10 0M129 122q5-5 10 0M112 157q8 5 16 0'
        }
        fill="none"
        strokeLinecap="round"
        strokeWidth="3"
      />
    </svg>
  );
}
