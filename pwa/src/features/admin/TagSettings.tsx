import { useQuery } from '@tanstack/react-query';
import { ArrowUp, X } from 'lucide-react';
import { useState } from 'react';
import { describeLoadError } from '@/api/client.ts';
import { MAX_SET_INTENTION_TAGS_REASON, MAX_SET_INTENTION_TAGS_TAGS_EACH } from '@/api/limits.gen.ts';
import { intentionTagsQuery } from '@/api/sharedRequests.ts';
import { useFailure } from '@/offline/store/cached.ts';
import { queryClient } from '@/session/query.ts';
import { Button, ErrorState, IconButton, Skeleton, TextField, toast, useForm } from '@/ui';
import { saveTags, tagsQuery } from './adminRequests.ts';
import { DecisionFrame, useDecision } from './DecisionFrame.tsx';

/** The intention tags from which members choose. */
export function TagSettings() {
  const query = useQuery(tagsQuery);
  const failure = useFailure(query);
  return (
    <section className="max-w-2xl">
      <h2 className="font-display font-semibold text-xl">Intention tags</h2>
      <p className="mt-1 mb-4 text-muted">
        Members choose from this list, in this order. A member keeps a tag that you remove.
      </p>
      {failure && (
        <ErrorState
          onRetry={query.refetch}
          text={describeLoadError(failure)}
          title="The tags could not be loaded"
        />
      )}
      {query.isPending && !failure && <Skeleton className="h-80 rounded-card" />}
      {query.data && <TagEditor key={query.data.join('\n')} stored={query.data} />}
    </section>
  );
}

function TagEditor({ stored }: { stored: string[] }) {
  const [tags, setTags] = useState(stored);
  const [reason, setReason] = useState('');
  const { send, errors, busy } = useDecision({ tags, reason }, { isLast: false });
  const isChanged = tags.join('\n') !== stored.join('\n');

  async function save() {
    const found: Record<string, string> = {};
    if (!reason.trim()) found.reason = 'Please say why, for the audit log.';
    if (!(await send(found, () => saveTags(tags, reason.trim())))) return;
    toast({ title: 'Intention tags updated successfully' });
    await queryClient.invalidateQueries({ queryKey: intentionTagsQuery.queryKey });
    await queryClient.invalidateQueries({ queryKey: tagsQuery.queryKey });
  }

  return (
    <div className="flex flex-col gap-4">
      <TagList onChange={setTags} tags={tags} />
      <AddTag onAdd={(tag) => setTags([...tags, tag])} tags={tags} />
      {isChanged && (
        <DecisionFrame busy={busy} error={errors.tags ?? errors.form} label="Save tags" onSend={save}>
          <TextField
            error={errors.reason}
            hint="For the audit log. No member sees it."
            label="Reason"
            maxLength={MAX_SET_INTENTION_TAGS_REASON}
            onChange={(event) => setReason(event.target.value)}
            value={reason}
          />
        </DecisionFrame>
      )}
    </div>
  );
}

type TagListProps = { tags: string[]; onChange: (tags: string[]) => void };

function TagList({ tags, onChange }: TagListProps) {
  function moveUp(index: number) {
    const next = [...tags];
    next.splice(index - 1, 0, ...next.splice(index, 1));
    onChange(next);
  }

  return (
    <ol className="card divide-y divide-line">
      {tags.map((tag, index) => (
        <li className="flex items-center gap-1 py-1 pe-2 ps-4" key={tag}>
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]" dir="auto">
            {tag}
          </span>
          <IconButton
            disabled={index === 0}
            icon={ArrowUp}
            label={`Move ${tag} up`}
            onClick={() => moveUp(index)}
          />
          <IconButton
            disabled={tags.length === 1}
            icon={X}
            label={`Remove ${tag}`}
            onClick={() => onChange(tags.filter((other) => other !== tag))}
          />
        </li>
      ))}
    </ol>
  );
}

function AddTag({ tags, onAdd }: { tags: string[]; onAdd: (tag: string) => void }) {
  const form = useForm({ tag: '' });

  function add(values: { tag: string }) {
    const tag = values.tag.trim();
    const isListed = tags.some((other) => other.toLowerCase() === tag.toLowerCase());
    const error = !tag ? 'Please enter a tag.' : isListed ? 'This tag is in the list already.' : undefined;
    if (form.reject({ tag: error })) return;
    onAdd(tag);
    form.reset({ tag: '' });
  }

  return (
    <form className="flex items-start gap-3" noValidate onSubmit={form.submit(add)}>
      <div className="flex-1">
        <TextField label="New tag" maxLength={MAX_SET_INTENTION_TAGS_TAGS_EACH} {...form.field('tag')} />
      </div>
      <Button className="mt-7" type="submit" variant="secondary">
        Add
      </Button>
    </form>
  );
}
