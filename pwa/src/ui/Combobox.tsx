import { type ComponentProps, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { cn } from './cn.ts';
import { isComposing } from './composing.ts';
import { box, type Common, Frame, useField } from './Field.tsx';

export type Suggestion<Value> = { key: string; text: string; value: Value };

const patienceMs = 150;
const none: never[] = [];

type ComboboxProps<Value> = Common &
  Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'role'> & {
    value: string;
    onChange: (text: string) => void;
    /** What may be meant by what was typed; a failure means no suggestions, typing goes on. */
    suggest: (text: string, signal: AbortSignal) => Promise<Suggestion<Value>[]>;
    onPick: (value: Value) => void;
  };

/** A line of text with suggestions (an editable combobox of the ARIA patterns); any other text is as good. */
export function Combobox<Value>(props: ComboboxProps<Value>) {
  const { label, hint, error, id, className, value, onChange, suggest, onPick, ...rest } = props;
  const { fieldId, noteId, aria } = useField({ hint, error, id });
  const listId = useId();
  const { found, open, ask, close } = useSuggestions(suggest);
  const [active, setActive] = useState(-1);
  const shown = open && found.length > 0;

  function pick(suggestion: Suggestion<Value> | undefined) {
    if (!suggestion) return;
    onPick(suggestion.value);
    close();
    setActive(-1);
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (isComposing(event)) return;
    if (event.key === 'ArrowDown' && !shown) ask(value);
    if (!shown) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setActive((now) => (now + step + found.length + (now < 0 && step < 0 ? 1 : 0)) % found.length);
    else if (event.key === 'Enter' && active >= 0) pick(found[active]);
    else if (event.key === 'Escape') close();
    else return;
    // Escape closes the list and not the dialog around it, Enter picks and does not send the form.
    event.preventDefault();
  }

  return (
    <Frame error={error} fieldId={fieldId} hint={hint} label={label} noteId={noteId}>
      <div className="relative">
        <input
          autoComplete="off"
          className={cn(box, 'h-12', className)}
          id={fieldId}
          {...aria}
          {...rest}
          aria-activedescendant={shown && active >= 0 ? `${listId}-${active}` : undefined}
          aria-autocomplete="list"
          aria-controls={listId}
          aria-expanded={shown}
          onBlur={(event) => {
            close();
            rest.onBlur?.(event);
          }}
          onChange={(event) => {
            onChange(event.target.value);
            setActive(-1);
            ask(event.target.value);
          }}
          onKeyDown={press}
          role="combobox"
          value={value}
        />
        <Options active={active} found={shown ? found : none} id={listId} onPick={pick} />
      </div>
      <span className="sr-only" role="status">
        {shown && `${found.length} ${found.length === 1 ? 'suggestion' : 'suggestions'}`}
      </span>
    </Frame>
  );
}

type OptionsProps<Value> = {
  id: string;
  found: Suggestion<Value>[];
  active: number;
  onPick: (suggestion: Suggestion<Value>) => void;
};

function Options<Value>({ id, found, active, onPick }: OptionsProps<Value>) {
  return (
    <div
      aria-label="Suggestions"
      className={cn(
        'absolute inset-x-0 top-full z-30 mt-1 max-h-72 overflow-y-auto rounded-control border border-line bg-surface py-1 shadow-float',
        found.length === 0 && 'hidden',
      )}
      id={id}
      role="listbox"
    >
      {found.map((suggestion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's, where the focus stays.
        <div
          aria-selected={index === active}
          className={cn(
            'flex min-h-11 cursor-pointer items-center px-4 py-2',
            index === active ? 'bg-ember-soft text-ember-strong' : 'hover:bg-raised',
          )}
          id={`${id}-${index}`}
          key={suggestion.key}
          onClick={() => onPick(suggestion)}
          // The focus stays in the line, or its leaving would close the list before the tap arrives.
          onMouseDown={(event) => event.preventDefault()}
          ref={(option) => {
            if (index === active) option?.scrollIntoView({ block: 'nearest' });
          }}
          role="option"
          tabIndex={-1}
        >
          {suggestion.text}
        </div>
      ))}
    </div>
  );
}

/** Asks a moment after the last key; an answer to what was typed before is dropped. */
function useSuggestions<Value>(suggest: ComboboxProps<Value>['suggest']) {
  const [found, setFound] = useState<Suggestion<Value>[]>(none);
  const [open, setOpen] = useState(false);
  const asking = useRef<AbortController | null>(null);
  useEffect(() => () => asking.current?.abort(), []);

  function close() {
    asking.current?.abort();
    setOpen(false);
  }

  function ask(text: string) {
    asking.current?.abort();
    if (text.trim() === '') return close();
    const question = new AbortController();
    asking.current = question;
    setTimeout(async () => {
      if (question.signal.aborted) return;
      const answer = await suggest(text.trim(), question.signal).catch((): Suggestion<Value>[] => []);
      if (question.signal.aborted) return;
      setFound(answer);
      setOpen(true);
    }, patienceMs);
  }

  return { found, open, ask, close };
}
