import { useEffect, useRef, useState } from 'react';
import { cn } from './cn.ts';
import { scheduleRetry } from './retry.ts';

type PhotoProps = {
  /** A photo; `src` is an alternative. The thumbnail is shown while the photo cannot be loaded, such as offline. */
  photo?: { url: string; thumbUrl?: string; placeholder?: string; caption?: string } | null;
  src?: string | null;
  /** A tiny blurred picture, shown until the photo has loaded. */
  placeholder?: string;
  alt: string;
  /** Shown over the placeholder of a photo that could not be loaded and has no thumbnail on the device. */
  missingText?: string;
  ratio?: '4/5' | '1/1' | '3/4' | '3/1' | 'fill';
  /** Load at once, for photos above the fold. */
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

/**
 * A photo with reserved space: its blurred placeholder is shown until it has loaded and fades in. A photo that could not
 * be loaded is requested again (scheduleRetry).
 */
export function Photo({
  photo,
  src,
  placeholder,
  alt,
  missingText,
  ratio = '4/5',
  eager,
  className,
}: PhotoProps) {
  const address = photo?.url ?? src ?? '';
  const blurred = photo?.placeholder || placeholder;
  return (
    <div className={cn('relative overflow-hidden bg-plum-soft', ratios[ratio], className)}>
      {address ? (
        <Picture
          alt={alt}
          blurred={blurred}
          eager={eager}
          key={address}
          missingText={missingText}
          src={address}
          thumb={photo?.thumbUrl}
        />
      ) : (
        blurred && <BlurPlaceholder src={blurred} />
      )}
    </div>
  );
}

/** The placeholder, blurred so that no pixels show, and larger than its box so that no edges show. */
function BlurPlaceholder({ src }: { src: string }) {
  return (
    <span
      aria-hidden="true"
      className="absolute -inset-6 bg-cover bg-center blur-lg"
      style={{ backgroundImage: `url("${src}")` }}
    />
  );
}

type PictureProps = Pick<PhotoProps, 'alt' | 'missingText' | 'eager'> & {
  src: string;
  blurred?: string;
  thumb?: string;
};

function Picture({ src, alt, missingText, blurred, thumb, eager }: PictureProps) {
  const [state, setState] = useState<'loading' | 'fading' | 'shown' | 'missing'>('loading');
  const [needsThumb, setNeedsThumb] = useState(false);
  const tries = useRef(0);
  useEffect(() => {
    if (state !== 'missing') return;
    return scheduleRetry(tries.current, () => {
      tries.current += 1;
      setState('loading');
    });
  }, [state]);
  return (
    <>
      {blurred && state !== 'shown' && <BlurPlaceholder src={blurred} />}
      {needsThumb && state !== 'shown' && (
        <img
          alt=""
          className="absolute inset-0 size-full object-cover"
          draggable={false}
          onError={() => setNeedsThumb(false)}
          src={thumb}
        />
      )}
      {state === 'missing' ? (
        <>
          <span className="sr-only">{alt}</span>
          {missingText && !needsThumb && (
            <span className="photo-fade absolute inset-x-0 bottom-0 p-5 text-on-photo">{missingText}</span>
          )}
        </>
      ) : (
        <img
          alt={alt}
          className={cn(
            'absolute inset-0 size-full object-cover transition-opacity duration-200',
            state === 'loading' && 'opacity-0',
          )}
          decoding="async"
          draggable={false}
          loading={eager ? 'eager' : 'lazy'}
          onError={() => {
            setState('missing');
            setNeedsThumb(Boolean(thumb) && thumb !== src);
          }}
          onLoad={() => setState((now) => (now === 'loading' ? 'fading' : now))}
          onTransitionEnd={() => setState('shown')}
          ref={(image) => {
            // A cached picture is shown without fading.
            if (image?.complete && image.naturalWidth > 0) setState('shown');
          }}
          src={src}
        />
      )}
    </>
  );
}
