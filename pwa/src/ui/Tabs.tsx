import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { lineKey } from './direction.ts';

type Tab<Value extends string> = { value: Value; label: string; content: ReactNode };

type TabsProps<Value extends string> = {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: Tab<Value>[];
};

/** Returns the index of the tab that a key selects, or null for any other key. */
function targetOf(key: string, index: number, count: number): number | null {
  if (key === 'ArrowRight') return (index + 1) % count;
  if (key === 'ArrowLeft') return (index + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

/** Two to five views of one thing (the ARIA tabs pattern): the arrow keys move the focus and open the tab. */
export function Tabs<Value extends string>({ label, value, onChange, tabs }: TabsProps<Value>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent, index: number) {
    const target = targetOf(lineKey(event.key), index, tabs.length);
    const tab = target === null ? undefined : tabs[target];
    if (target === null || !tab) return;
    event.preventDefault();
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[target]?.focus();
    onChange(tab.value);
  }

  return (
    <div>
      <div
        aria-label={label}
        className="flex flex-wrap rounded-control bg-raised p-1 sm:gap-1"
        ref={list}
        role="tablist"
      >
        {tabs.map((tab, index) => (
          <button
            aria-controls={tab.value === value ? `${id}-panel` : undefined}
            aria-selected={tab.value === value}
            className="min-h-11 min-w-max flex-auto rounded-[calc(var(--r-control)-4px)] whitespace-nowrap px-0.5 font-semibold text-muted text-xs transition-colors hover:text-ink aria-selected:bg-surface aria-selected:text-ink min-[360px]:text-sm sm:flex-1 sm:px-4"
            id={`${id}-${tab.value}`}
            key={tab.value}
            onClick={() => onChange(tab.value)}
            onKeyDown={(event) => onKeyDown(event, index)}
            role="tab"
            tabIndex={tab.value === value ? 0 : -1}
            type="button"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div aria-labelledby={`${id}-${value}`} className="pt-6" id={`${id}-panel`} key={value} role="tabpanel">
        {tabs.find((tab) => tab.value === value)?.content}
      </div>
    </div>
  );
}
