import { type ComponentProps, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { countText } from '@/base/format.ts';
import { cn } from './cn.ts';
import { isComposing } from './composing.ts';
import { FieldFrame, type FieldProps, fieldClasses, useField } from './Field.tsx';

export type Suggestion<Value> = { key: string; text: string; value: Value };

const DEBOUNCE_MS = 150;
const NO_SUGGESTIONS: never[] = [];

type ComboboxProps<Value> = FieldProps &
  Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'role'> & {
    value: string;
    onChange: (text: string) => void;
    /** Returns suggestions for a text. A rejection means no suggestions. */
    suggest: (text: string, signal: AbortSignal) => Promise<Suggestion<Value>[]>;
    onPick: (value: Value) => void;
  };

/** A text field with suggestions (the editable combobox of the ARIA patterns). Any other text is allowed. */
export function Combobox<Value>(props: ComboboxProps<Value>) {
  const { label, hint, error, id, className, value, onChange, suggest, onPick, ...rest } = props;
  const { fieldId, noteId, aria } = useField({ hint, error, id });
  const listId = useId();
  const { suggestions, open, requestSuggestions, close } = useSuggestions(suggest);
  const shown = open ? suggestions : NO_SUGGESTIONS;
  const isOpen = shown.length > 0;
  const { active, setActive, pick, moveActive } = useActiveOption(shown, close, onPick);

  function handleKey(event: KeyboardEvent<HTMLInputElement>) {
    if (isComposing(event)) return;
    if (event.key === 'ArrowDown' && !isOpen) requestSuggestions(value);
    if (!isOpen) return;
    if (event.key === 'ArrowDown') moveActive(1);
    else if (event.key === 'ArrowUp') moveActive(-1);
    else if (event.key === 'Enter' && active >= 0) pick(shown[active]);
    else if (event.key === 'Escape') close();
    else return;
    // Escape closes the list and not a dialog around it; Enter picks and does not submit the form.
    event.preventDefault();
  }

  return (
    <FieldFrame error={error} fieldId={fieldId} hint={hint} label={label} noteId={noteId}>
      <div className="relative">
        <input
          autoComplete="off"
          className={cn(fieldClasses, 'h-12', className)}
          id={fieldId}
          {...aria}
          {...rest}
          aria-activedescendant={isOpen && active >= 0 ? `${listId}-${active}` : undefined}
          aria-autocomplete="list"
          aria-controls={listId}
          aria-expanded={isOpen}
          onBlur={(event) => {
            close();
            rest.onBlur?.(event);
          }}
          onChange={(event) => {
            onChange(event.target.value);
            setActive(-1);
            requestSuggestions(event.target.value);
          }}
          onKeyDown={handleKey}
          role="combobox"
          value={value}
        />
        <Options active={active} id={listId} onPick={pick} suggestions={shown} />
      </div>
      <span className="sr-only" role="status">
        {isOpen && countText(shown.length, 'suggestion')}
      </span>
    </FieldFrame>
  );
}

/** The suggestion that the arrow keys have reached, by its index; -1 is the text itself. */
function useActiveOption<Value>(
  suggestions: Suggestion<Value>[],
  close: () => void,
  onPick: (value: Value) => void,
) {
  const [active, setActive] = useState(-1);
  return {
    active,
    setActive,
    moveActive: (step: 1 | -1) => setActive((now) => stepFrom(now, step, suggestions.length)),
    pick(suggestion: Suggestion<Value> | undefined) {
      if (!suggestion) return;
      onPick(suggestion.value);
      close();
      setActive(-1);
    },
  };
}

/** Returns the index of the next suggestion, from the last to the first and back; -1 is the text itself. */
const stepFrom = (index: number, step: number, count: number): number =>
  (index + step + count + (index < 0 && step < 0 ? 1 : 0)) % count;

type OptionsProps<Value> = {
  id: string;
  suggestions: Suggestion<Value>[];
  active: number;
  onPick: (suggestion: Suggestion<Value>) => void;
};

function Options<Value>({ id, suggestions, active, onPick }: OptionsProps<Value>) {
  return (
    <div
      aria-label="Suggestions"
      className={cn(
        'absolute inset-x-0 top-full z-30 mt-1 max-h-72 overflow-y-auto rounded-control border border-line bg-surface py-1 shadow-float',
        suggestions.length === 0 && 'hidden',
      )}
      id={id}
      role="listbox"
    >
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input, which keeps the focus, handles the keys.
        <div
          aria-selected={index === active}
          className={cn(
            'flex min-h-11 cursor-pointer items-center px-4 py-2',
            index === active ? 'bg-ember-soft text-ember-strong' : 'hover:bg-raised',
          )}
          id={`${id}-${index}`}
          key={suggestion.key}
          onClick={() => onPick(suggestion)}
          // Keeps the focus in the input: its blur would close the list before the click.
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

/** Requests suggestions DEBOUNCE_MS after the last key; results for an earlier text are dropped. */
function useSuggestions<Value>(suggest: ComboboxProps<Value>['suggest']) {
  const [suggestions, setSuggestions] = useState<Suggestion<Value>[]>(NO_SUGGESTIONS);
  const [open, setOpen] = useState(false);
  const inFlight = useRef<AbortController | null>(null);
  useEffect(() => () => inFlight.current?.abort(), []);

  function close() {
    inFlight.current?.abort();
    setOpen(false);
  }

  function requestSuggestions(text: string) {
    inFlight.current?.abort();
    if (text.trim() === '') return close();
    const controller = new AbortController();
    inFlight.current = controller;
    setTimeout(async () => {
      if (controller.signal.aborted) return;
      const result = await suggest(text.trim(), controller.signal).catch((): Suggestion<Value>[] => []);
      if (controller.signal.aborted) return;
      setSuggestions(result);
      setOpen(true);
    }, DEBOUNCE_MS);
  }

  return { suggestions, open, requestSuggestions, close };
}
