import { Skeleton } from '@/ui';

/** Three cards as they are drawn. */
export function PostsSkeleton() {
  return (
    <div aria-label="Loading the stories" className="flex flex-col gap-5" role="status">
      {['a', 'b', 'c'].map((key) => (
        <div className="card flex flex-col gap-3 p-5" key={key}>
          <Skeleton className="h-6 w-32 rounded-full" />
          <Skeleton className="h-7 w-3/4" />
          <div className="flex items-center gap-3">
            <Skeleton className="size-9 rounded-full" />
            <Skeleton className="h-5 w-44" />
          </div>
          <Skeleton className="h-18" />
          <Skeleton className="h-9 w-40" />
        </div>
      ))}
    </div>
  );
}
