import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

type Tab<Value extends string> = { value: Value; label: string; content: ReactNode };

type TabsProps<Value extends string> = {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: Tab<Value>[];
};

function unpoint({ currentTarget }: { currentTarget: HTMLElement }): void {
  delete currentTarget.dataset.pointed;
}

/** Two to five views of one thing; arrow keys move between them. */
export function Tabs<Value extends string>({ label, value, onChange, tabs }: TabsProps<Value>) {
  return (
    <Radix.Root onValueChange={(next) => onChange(next as Value)} value={value}>
      <Radix.List
        aria-label={label}
        className="no-scrollbar flex overflow-x-auto rounded-control bg-raised p-1 min-[360px]:gap-1"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            className="min-h-11 min-w-max flex-auto rounded-[calc(var(--r-control)-4px)] whitespace-nowrap px-0.5 font-semibold text-muted text-xs min-[360px]:px-1 min-[360px]:text-sm sm:flex-1 sm:px-4 transition-colors hover:text-ink data-[state=active]:bg-surface data-pointed:outline-none data-[state=active]:text-ink"
            key={tab.value}
            onBlur={unpoint}
            onKeyDown={unpoint}
            onPointerDown={({ currentTarget }) => {
              // The library focuses by script, which browsers take for the keyboard: no ring for a finger.
              currentTarget.dataset.pointed = '';
            }}
            value={tab.value}
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content className="pt-6" key={tab.value} tabIndex={-1} value={tab.value}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
