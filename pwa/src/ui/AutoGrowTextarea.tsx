import { type ComponentProps, useLayoutEffect, useRef } from 'react';
import { cn } from './cn.ts';

/** Sets the height to that of the text; the maximum is the stylesheet's. */
function fitHeight(field: HTMLTextAreaElement | null): void {
  if (!field || CSS.supports('field-sizing', 'content')) return;
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
}

/** A textarea that grows with its text, also where the browser has no `field-sizing`; limit it with `max-h-*`. */
export function AutoGrowTextarea({ className, ref, onInput, ...rest }: ComponentProps<'textarea'>) {
  const own = useRef<HTMLTextAreaElement>(null);
  // After each render: the text may have been changed by code.
  useLayoutEffect(() => fitHeight(own.current));
  return (
    <textarea
      className={cn('field-sizing-content', className)}
      onInput={(event) => {
        fitHeight(event.currentTarget);
        onInput?.(event);
      }}
      ref={(field) => {
        own.current = field;
        if (typeof ref === 'function') return ref(field);
        if (ref) ref.current = field;
      }}
      {...rest}
    />
  );
}
