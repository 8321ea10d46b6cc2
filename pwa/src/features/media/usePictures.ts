import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSettings } from '@/offline/sync/settings.ts';
import { toast } from '@/ui';
import { MOST_PICTURES, type Picture, PictureRefused, pictureOf } from './pictures.ts';

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
      const picture = await pictureOf(file, highQualityMedia ? 'high' : 'low').catch(refused);
      if (picture) made.current.push(picture.url);
      if (!here.current) return letGo(made.current);
      setPending((count) => count - 1);
      if (picture) setPictures((now) => [...now, picture]);
    }
  }

  const begin = useEffectEvent(() => void prepare(within(first, MOST_PICTURES)));
  useEffect(() => {
    here.current = true;
    begin();
    return () => {
      here.current = false;
      letGo(made.current);
    };
  }, []);

  return {
    pictures,
    pending,
    add,
    remove: (gone: Picture) => setPictures((now) => now.filter((one) => one !== gone)),
  };
}

function letGo(urls: string[]): void {
  for (const url of urls.splice(0)) URL.revokeObjectURL(url);
}

function refused(error: unknown): null {
  const description = error instanceof PictureRefused ? error.message : 'This browser could not open it.';
  toast({ variant: 'destructive', title: 'This file cannot be sent', description });
  return null;
}

function within(files: File[], room: number): File[] {
  if (files.length > room) toast({ title: `Up to ${MOST_PICTURES} pictures at once` });
  return files.slice(0, room);
}
