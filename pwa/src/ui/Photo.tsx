import { useState } from 'react';
import { cn } from './cn.ts';

type PhotoProps = {
  /** Either a whole photo or its address. */
  photo?: { url: string; placeholder?: string; caption?: string } | null;
  src?: string | null;
  /** A tiny blurred picture, shown until the photo has arrived. */
  placeholder?: string;
  alt: string;
  ratio?: '4/5' | '1/1' | '3/4' | '3/1' | 'fill';
  /** Above the fold: load at once. */
  eager?: boolean;
  className?: string;
};

const ratios = {
  '4/5': 'aspect-4/5',
  '1/1': 'aspect-square',
  '3/4': 'aspect-3/4',
  '3/1': 'aspect-3/1',
  fill: 'size-full',
};

/** A photograph that never jumps: its place is taken, its blurred shadow shows, then it fades in. */
export function Photo({ photo, src, placeholder, alt, ratio = '4/5', eager, className }: PhotoProps) {
  const address = photo?.url ?? src ?? '';
  const blurred = photo?.placeholder || placeholder;
  return (
    <div className={cn('relative overflow-hidden bg-plum-soft', ratios[ratio], className)}>
      {address ? (
        <Picture alt={alt} blurred={blurred} eager={eager} key={address} src={address} />
      ) : (
        blurred && <Shadow src={blurred} />
      )}
    </div>
  );
}

/** The tiny picture, blurred once more so that no square of it shows; larger than its place, so that no edge does. */
function Shadow({ src }: { src: string }) {
  return (
    <span
      aria-hidden="true"
      className="absolute -inset-6 bg-cover bg-center blur-lg"
      style={{ backgroundImage: `url("${src}")` }}
    />
  );
}

type PictureProps = { src: string; alt: string; blurred?: string; eager?: boolean };

function Picture({ src, alt, blurred, eager }: PictureProps) {
  const [state, setState] = useState<'waiting' | 'arriving' | 'shown' | 'missing'>('waiting');
  return (
    <>
      {blurred && state !== 'shown' && <Shadow src={blurred} />}
      {state === 'missing' ? (
        <span className="sr-only">{alt}</span>
      ) : (
        <img
          alt={alt}
          className={cn(
            'absolute inset-0 size-full object-cover transition-opacity duration-200',
            state === 'waiting' && 'opacity-0',
          )}
          decoding="async"
          draggable={false}
          loading={eager ? 'eager' : 'lazy'}
          onError={() => setState('missing')}
          onLoad={() => setState((now) => (now === 'waiting' ? 'arriving' : now))}
          onTransitionEnd={() => setState('shown')}
          ref={(image) => {
            // It was on the device already: nothing to wait for and nothing to fade.
            if (image?.complete && image.naturalWidth > 0) setState('shown');
          }}
          src={src}
        />
      )}
    </>
  );
}
