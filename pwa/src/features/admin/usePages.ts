import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

type LoadedPage<Row> = { items: Row[]; next: string | null; total?: number };

/**
 * Returns one page of a list and functions that load the next and the previous one. Another `filter` begins with the
 * first page. The pages are in memory only.
 */
export function usePages<Row, Filter>(
  name: string,
  filter: Filter,
  load: (filter: Filter, cursor?: string) => Promise<LoadedPage<Row>>,
) {
  const key = JSON.stringify(filter);
  const [position, setPosition] = useState<{ key: string; cursors: string[] }>({ key, cursors: [] });
  const cursors = position.key === key ? position.cursors : [];
  const query = useQuery({
    queryKey: ['admin', name, filter, cursors.at(-1)],
    queryFn: () => load(filter, cursors.at(-1)),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  const { data } = query;
  const next = data?.next;
  return {
    query,
    rows: data?.items ?? [],
    total: data?.total,
    number: cursors.length + 1,
    goNext: next ? () => setPosition({ key, cursors: [...cursors, next] }) : undefined,
    goBack: cursors.length > 0 ? () => setPosition({ key, cursors: cursors.slice(0, -1) }) : undefined,
  };
}
