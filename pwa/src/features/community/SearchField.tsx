import { Search } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { MAX_LIST_POSTS_Q } from '@/api/limits.gen.ts';

const DELAY_MS = 400;

type SearchFieldProps = { words: string; onSearch: (words: string) => void };

/** The words searched for; a search starts on Enter, or when the member has stopped typing. */
export function SearchField({ words, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(words);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // The category may change between the last letter and the search.
  const latest = useRef({ words, onSearch });
  latest.current = { words, onSearch };

  // A link or "back" changes the words without this field, which then shows them.
  const searched = useRef(words);
  useEffect(() => {
    if (words === searched.current) return;
    searched.current = words;
    clearTimeout(timer.current);
    setText(words);
  }, [words]);

  function search(next: string) {
    clearTimeout(timer.current);
    if (next.trim() === latest.current.words) return;
    searched.current = next.trim();
    latest.current.onSearch(searched.current);
  }

  return (
    <search>
      <form
        className="relative"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          search(text);
        }}
      >
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-3.5 inset-s-4 size-5 text-muted"
        />
        <input
          aria-label="Search the stories"
          className="h-12 w-full rounded-control border border-control bg-surface px-12 text-base hover:border-muted"
          dir="auto"
          enterKeyHint="search"
          maxLength={MAX_LIST_POSTS_Q}
          onChange={({ target }) => {
            const next = target.value;
            setText(next);
            clearTimeout(timer.current);
            timer.current = setTimeout(() => search(next), DELAY_MS);
          }}
          placeholder="Search the stories"
          type="search"
          value={text}
        />
      </form>
    </search>
  );
}
