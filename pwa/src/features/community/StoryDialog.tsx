import { type Ref, useRef, useState } from 'react';
import { describeError, fieldErrors } from '@/api/errors.ts';
import { MAX_CREATE_POST_EXCERPT, MAX_CREATE_POST_TITLE } from '@/api/limits.gen.ts';
import type { Post, PostCategory } from '@/api/types.ts';
import { useDb } from '@/offline/store/cached.ts';
import { useMember } from '@/session/session.ts';
import { Button, Select, Sheet, TextField, toast, toastError, useAction } from '@/ui';
import { categoryLabels } from './boardCategories.ts';
import { createPost, editPost } from './boardRequests.ts';
import { PictureField } from './PictureField.tsx';
import { StoryText } from './StoryText.tsx';
import {
  emptyDraft,
  readStoryDraft,
  removeStoryDraft,
  type StoryDraft,
  storeStoryDraft,
} from './storyDraft.ts';
import { findTagError, MAX_OWN_TAGS, MAX_TAGS_TEXT, ownTags } from './tags.ts';

/** What members write; admins also write the blog. */
const memberCategories = ['community-story', 'advice', 'experience'] as const;

const MISSING = 'Please fill in this field.';

const SHOWN = 'We read every change. Until we have, nobody else sees this story.';

const PUBLISHED = { title: 'Published', description: 'Everyone can read it now.' };
const WAITS_FOR_REVIEW = {
  title: 'Thank you for sharing',
  description: "We read every story before it appears. You'll find yours under My stories.",
};

type Missing = Partial<Record<keyof StoryDraft, string>>;

function findMissing({ title, excerpt, category, content, tags }: StoryDraft): Missing {
  const missing: Missing = {};
  if (!title.trim()) missing.title = MISSING;
  if (!excerpt.trim()) missing.excerpt = MISSING;
  if (!category) missing.category = 'Please choose a category.';
  if (!content.trim()) missing.content = MISSING;
  const tagError = findTagError(tags);
  if (tagError) missing.tags = tagError;
  return missing;
}

const draftOf = ({ content = '', featuredImage, ...post }: Post): StoryDraft => ({
  ...emptyDraft(),
  title: post.title,
  excerpt: post.excerpt,
  category: post.category,
  content,
  tags: ownTags(post).join(', '),
  picture: featuredImage && { id: featuredImage.id, preview: featuredImage.thumbUrl },
});

type StoryDialogProps = {
  /** The member's story that is changed; a new one without it. */
  post?: Post;
  onClose: () => void;
};

/** Writes a story. What is written is stored on the device with every change, until it is sent or discarded. */
export function StoryDialog({ post, onClose }: StoryDialogProps) {
  const db = useDb();
  const { id: memberId, isAdmin } = useMember();
  const postId = post?.id ?? null;
  const [restored] = useState(() => readStoryDraft(memberId, postId));
  const [draft, setDraft] = useState(() => restored ?? (post ? draftOf(post) : emptyDraft()));
  const [isStored, setStored] = useState(true);
  const [missing, setMissing] = useState<Missing>({});
  const [isUploading, setUploading] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  function change(part: Partial<StoryDraft>) {
    const next = { ...draft, ...part };
    setDraft(next);
    setStored(storeStoryDraft(memberId, postId, next));
    setMissing(Object.fromEntries(Object.entries(missing).filter(([field]) => !(field in part))));
  }

  function discard() {
    removeStoryDraft(memberId, postId);
    setDraft(post ? draftOf(post) : emptyDraft());
    setMissing({});
  }

  function submit() {
    const found = findMissing(draft);
    setMissing(found);
    const [first] = Object.keys(found);
    if (first) {
      if (first === 'tags') toastError(found.tags ?? '', 'Your tags');
      else toastError('Please fill in all fields before submitting.', 'Missing information');
      return form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
    }
    void send();
  }

  async function sendStory() {
    try {
      const category = draft.category as PostCategory;
      const sent = post ? await editPost(db, post.id, draft, category) : await createPost(draft, category);
      removeStoryDraft(memberId, postId);
      toast(sent.status === 'published' ? PUBLISHED : WAITS_FOR_REVIEW);
      onClose();
    } catch (failure) {
      // The server deletes an upload that was not used for a day.
      if (fieldErrors(failure).featuredImage) change({ picture: null });
      throw failure;
    }
  }
  const [send, { isBusy }] = useAction(sendStory, {
    errorText: (failure) =>
      describeError(failure, 'There was an error submitting your story. Please try again.'),
    errorTitle: 'Submission failed',
    staysBusy: true,
  });

  const isShown = post?.status === 'published' && !post.isAdminPost;
  return (
    <Sheet
      actions={
        <>
          <Button className="max-[400px]:flex-1" onClick={onClose} variant="secondary">
            Cancel
          </Button>
          <Button busy={isBusy} disabled={isUploading} className="max-[400px]:flex-1" onClick={submit}>
            {isBusy ? 'Submitting...' : 'Submit Story'}
          </Button>
        </>
      }
      description={`${isShown ? SHOWN : 'We read every story before it is published.'} Please leave out what shows where you or others live or work.`}
      full
      onClose={onClose}
      open
      title={post ? 'Edit Your Story' : 'Share Your Journey'}
    >
      <StoryForm
        categories={isAdmin ? ['blog', ...memberCategories] : memberCategories}
        change={change}
        draft={draft}
        missing={missing}
        onUploading={setUploading}
        ref={form}
      />
      <p className="mt-4 min-h-11 text-muted text-sm" role="status">
        <DraftStatus isRestored={restored !== null} isStored={isStored} onDiscard={discard} />
      </p>
    </Sheet>
  );
}

type DraftStatusProps = { isStored: boolean; isRestored: boolean; onDiscard: () => void };

/** Says where the draft is. */
function DraftStatus({ isStored, isRestored, onDiscard }: DraftStatusProps) {
  if (!isStored)
    return (
      <span className="text-danger">
        This device could not store your draft. Free some space, or send it before you leave.
      </span>
    );
  if (!isRestored) return 'What you write stays on this device until you send it.';
  return (
    <>
      We kept what you wrote on this device.{' '}
      <button
        className="min-h-11 font-semibold text-ember-strong underline"
        onClick={onDiscard}
        type="button"
      >
        Start again
      </button>
    </>
  );
}

type StoryFormProps = {
  draft: StoryDraft;
  missing: Missing;
  categories: readonly PostCategory[];
  change: (part: Partial<StoryDraft>) => void;
  onUploading: (busy: boolean) => void;
  ref: Ref<HTMLFormElement>;
};

function StoryForm({ draft, missing, categories, change, onUploading, ref }: StoryFormProps) {
  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={(event) => event.preventDefault()} ref={ref}>
      <TextField
        error={missing.title}
        label="Title"
        maxLength={MAX_CREATE_POST_TITLE}
        name="title"
        onChange={(event) => change({ title: event.target.value })}
        value={draft.title}
      />
      <TextField
        error={missing.excerpt}
        hint="One or two sentences, shown in the list."
        label="Brief Summary"
        maxLength={MAX_CREATE_POST_EXCERPT}
        name="excerpt"
        onChange={(event) => change({ excerpt: event.target.value })}
        value={draft.excerpt}
      />
      <Select
        error={missing.category}
        label="Category"
        name="category"
        onChange={(event) => change({ category: event.target.value as PostCategory | '' })}
        value={draft.category}
      >
        <option value="">Choose a category</option>
        {categories.map((category) => (
          <option key={category} value={category}>
            {categoryLabels[category]}
            {category === 'blog' && ' (official)'}
          </option>
        ))}
      </Select>
      <StoryText error={missing.content} onChange={(content) => change({ content })} value={draft.content} />
      <TextField
        error={missing.tags}
        hint={`Up to ${MAX_OWN_TAGS}, with commas between them, such as long distance, first dates.`}
        label="Tags (optional)"
        maxLength={MAX_TAGS_TEXT}
        name="tags"
        onChange={(event) => change({ tags: event.target.value })}
        value={draft.tags}
      />
      <PictureField
        onChange={(picture) => change({ picture })}
        onUploading={onUploading}
        picture={draft.picture}
      />
    </form>
  );
}
