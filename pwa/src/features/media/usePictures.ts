import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSettings } from '@/domain/storedSettings.ts';
import { showFailure, toast } from '@/ui';
import { MAX_PICTURES, makePicture, type Picture } from './sentPictures.ts';

/** Prepares the chosen files as pictures, in order. */
export function usePictures(first: File[]) {
  const { highQualityMedia } = useSettings();
  const [pictures, setPictures] = useState<Picture[]>([]);
  const [pending, setPending] = useState(Math.min(first.length, MAX_PICTURES));
  const urls = useRef<string[]>([]);
  const mounted = useRef(false);

  function add(files: File[]) {
    const accepted = limitCount(files, MAX_PICTURES - pictures.length - pending);
    setPending((count) => count + accepted.length);
    void prepare(accepted);
  }

  async function prepare(accepted: File[]) {
    for (const file of accepted) {
      const picture = await makePicture(file, highQualityMedia ? 'high' : 'low').catch(reportRejected);
      if (picture) urls.current.push(picture.url);
      if (!mounted.current) return revokeAll(urls.current);
      setPending((count) => count - 1);
      if (picture) setPictures((now) => [...now, picture]);
    }
  }

  const prepareFirst = useEffectEvent(() => void prepare(limitCount(first, MAX_PICTURES)));
  useEffect(() => {
    mounted.current = true;
    prepareFirst();
    return () => {
      mounted.current = false;
      revokeAll(urls.current);
    };
  }, []);

  return {
    pictures,
    pending,
    add,
    remove: (removed: Picture) => setPictures((now) => now.filter((one) => one !== removed)),
  };
}

function revokeAll(urls: string[]): void {
  for (const url of urls.splice(0)) URL.revokeObjectURL(url);
}

function reportRejected(error: unknown): null {
  showFailure(error, 'This file cannot be sent', 'This browser could not open it.');
  return null;
}

function limitCount(files: File[], room: number): File[] {
  if (files.length > room) toast({ title: `Up to ${MAX_PICTURES} pictures at once` });
  return files.slice(0, room);
}
