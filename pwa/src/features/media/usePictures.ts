import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSettings } from '@/offline/settings.ts';
import { toast } from '@/ui';
import { MOST_PICTURES, type Picture, pictureOf } from './pictures.ts';

/** The chosen files as pictures, in their order, as they get ready. */
export function usePictures(first: File[]) {
  const { highQualityMedia } = useSettings();
  const [pictures, setPictures] = useState<Picture[]>([]);
  const [pending, setPending] = useState(Math.min(first.length, MOST_PICTURES));
  const made = useRef<string[]>([]);
  const here = useRef(false);

  function add(files: File[]) {
    const taken = within(files, MOST_PICTURES - pictures.length - pending);
    setPending((count) => count + taken.length);
    void prepare(taken);
  }

  async function prepare(taken: File[]) {
    for (const file of taken) {
      const picture = await pictureOf(file, highQualityMedia ? 'high' : 'low');
      if (!here.current) return;
      setPending((count) => count - 1);
      if (picture) {
        made.current.push(picture.url);
        setPictures((now) => [...now, picture]);
      } else
        toast({
          variant: 'destructive',
          title: 'This file cannot be sent',
          description: `${file.name} is no picture, or larger than 25 MB.`,
        });
    }
  }

  const begin = useEffectEvent(() => void prepare(within(first, MOST_PICTURES)));
  useEffect(() => {
    here.current = true;
    begin();
    return () => {
      here.current = false;
      for (const url of made.current) URL.revokeObjectURL(url);
    };
  }, []);

  return {
    pictures,
    pending,
    add,
    remove: (gone: Picture) => setPictures((now) => now.filter((one) => one !== gone)),
  };
}

function within(files: File[], room: number): File[] {
  if (files.length > room) toast({ title: `Up to ${MOST_PICTURES} pictures at once` });
  return files.slice(0, room);
}
