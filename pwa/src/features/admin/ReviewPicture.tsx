import { Veil } from './Veil.tsx';

type ReviewPictureProps = { address: string; label: string };

/** A picture that a moderator looks at in full. */
export function ReviewPicture({ address, label }: ReviewPictureProps) {
  return (
    <figure className="min-w-0">
      <Veil label={label}>
        {/* An address with a query is not stored on the device. */}
        <img
          alt={label}
          className="aspect-[4/5] w-full rounded-control bg-raised object-contain"
          src={`${address}?review`}
        />
      </Veil>
      <figcaption className="mt-1 text-muted text-sm">{label}</figcaption>
    </figure>
  );
}
