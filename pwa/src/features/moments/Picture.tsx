import { useEffect, useState } from 'react';
import type { Moment } from '@/api/types.ts';
import { useDb } from '@/offline/store/cached.ts';
import { useMember } from '@/session/session.ts';
import { contentOf, namesPeer } from './content.ts';
import { makeFile } from './drawing.ts';
import { storePicture } from './moments.ts';
import type { Pictures } from './useMomentPictures.ts';

type PictureProps = { moment: Moment; pictures: Pictures };

/** The picture for posts; its words, if it cannot be drawn. It is stored on the server once, without the other member. */
export function Picture({ moment, pictures: { files, failed } }: PictureProps) {
  const db = useDb();
  const { firstName } = useMember();
  const { headline } = contentOf(moment, firstName);
  const { post } = files;
  const url = useObjectUrl(post);
  useEffect(() => {
    if (moment.imageUrl || !post) return;
    // The stored picture never names the other member, who may take the consent back.
    const own = { ...moment, consent: 'none' } as const;
    storePicture(db, moment.id, async () =>
      namesPeer(moment) ? makeFile(contentOf(own, firstName), 'post') : post,
    );
  }, [moment, post, firstName, db]);
  return (
    <div className="grid aspect-[1200/630] place-items-center bg-raised">
      {url ? (
        <img alt={`Picture: ${headline}`} className="size-full" src={url} />
      ) : (
        failed && <p className="p-4 text-center font-display font-semibold text-2xl">{headline}</p>
      )}
    </div>
  );
}

/** Returns an address of the file; undefined without one. */
function useObjectUrl(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return;
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => {
      setUrl(undefined);
      URL.revokeObjectURL(created);
    };
  }, [file]);
  return url;
}
