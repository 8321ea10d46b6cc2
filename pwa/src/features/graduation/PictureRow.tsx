import type { ReactNode } from 'react';
import type { OwnCouple } from '@/api/types.ts';
import { Photo } from '@/ui';

type PictureRowProps = {
  title: string;
  pictures: NonNullable<OwnCouple['partnerPictures']>;
  /** What can be done with them. */
  children?: ReactNode;
};

/** The pictures that the partner has chosen for the wall; nothing without any. */
export function PictureRow({ title, pictures, children }: PictureRowProps) {
  if (pictures.length === 0) return null;
  return (
    <figure>
      <figcaption className="font-medium text-sm">{title}</figcaption>
      <ul className="mt-2 grid grid-cols-3 gap-2 sm:grid-cols-4">
        {pictures.map(({ id, thumbUrl, placeholder }, index) => (
          <li className="overflow-hidden rounded-control" key={id}>
            <Photo alt={`Picture ${index + 1}`} placeholder={placeholder} ratio="1/1" src={thumbUrl} />
          </li>
        ))}
      </ul>
      {children}
    </figure>
  );
}
