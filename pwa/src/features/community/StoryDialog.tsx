import { useRef, useState } from 'react';
import { describeError, fieldErrors } from '@/api/errors.ts';
import { MAX_CREATE_POST_EXCERPT, MAX_CREATE_POST_TITLE } from '@/api/limits.gen.ts';
import type { Post, PostCategory } from '@/api/types.ts';
import { useDb } from '@/offline/store/cached.ts';
import { useMember } from '@/session/session.ts';
import { Button, type Errors, type Form, Select, Sheet, TextField, toast, toastError, useForm } from '@/ui';
import { categoryLabels } from './boardCategories.ts';
import { createPost, editPost } from './ownPosts.ts';
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

const EDIT_NOTICE = 'We read every change. Until we have, nobody else sees this story.';

const PUBLISHED = { title: 'Published', description: 'Everyone can read it now.' };
const WAITS_FOR_REVIEW = {
  title: 'Thank you for sharing',
  description: "We read every story before it appears. You'll find yours under My stories.",
};

function check({ title, excerpt, category, content, tags }: StoryDraft): Errors<StoryDraft> {
  const errors: Errors<StoryDraft> = {};
  if (!title.trim()) errors.title = MISSING;
  if (!excerpt.trim()) errors.excerpt = MISSING;
  if (!category) errors.category = 'Please choose a category.';
  if (!content.trim()) errors.content = MISSING;
  const tagError = findTagError(tags);
  if (tagError) errors.tags = tagError;
  return errors;
}

function showWhatIsMissing({ tags, ...missing }: Errors<StoryDraft>): void {
  if (Object.keys(missing).length > 0)
    toastError('Please fill in all fields before submitting.', 'Missing information');
  else toastError(tags, 'Your tags');
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
  const { isAdmin } = useMember();
  const { form, send, isRestored, isStored, discard } = useStoryForm(post, onClose);
  const [isUploading, setUploading] = useState(false);
  const fields = useRef<HTMLFormElement>(null);
  const isShown = post?.status === 'published' && !post.isAdminPost;
  return (
    <Sheet
      actions={
        <>
          <Button className="max-[400px]:flex-1" onClick={onClose} variant="secondary">
            Cancel
          </Button>
          {/* Not the form's own button: Enter in one of its lines must not send an unfinished story. */}
          <Button
            busy={form.isBusy}
            className="max-[400px]:flex-1"
            disabled={isUploading}
            onClick={() => fields.current?.requestSubmit()}
          >
            {form.isBusy ? 'Submitting...' : 'Submit Story'}
          </Button>
        </>
      }
      description={`${isShown ? EDIT_NOTICE : 'We read every story before it is published.'} Please leave out what shows where you or others live or work.`}
      full
      onClose={onClose}
      open
      title={post ? 'Edit Your Story' : 'Share Your Journey'}
    >
      <form className="flex flex-col gap-4" noValidate onSubmit={form.submit(send)} ref={fields}>
        <StoryFields
          categories={isAdmin ? ['blog', ...memberCategories] : memberCategories}
          form={form}
          onUploading={setUploading}
        />
      </form>
      <p className="mt-4 min-h-11 text-muted text-sm" role="status">
        <DraftStatus isRestored={isRestored} isStored={isStored} onDiscard={discard} />
      </p>
    </Sheet>
  );
}

/** The form with the draft on this device, or with the post; `isStored` is false when the device is full. */
function useStoryForm(post: Post | undefined, onClose: () => void) {
  const db = useDb();
  const postId = post?.id ?? null;
  const [restored] = useState(() => readStoryDraft(db, postId));
  const [isStored, setStored] = useState(true);
  const [initial] = useState(() => restored ?? (post ? draftOf(post) : emptyDraft()));
  const form = useForm<StoryDraft>(initial, {
    check,
    onInvalid: showWhatIsMissing,
    onChange: (draft) => setStored(storeStoryDraft(db, postId, draft)),
    errorText: (failure) =>
      describeError(failure, 'There was an error submitting your story. Please try again.'),
    errorTitle: 'Submission failed',
    staysBusy: true,
  });

  async function send(draft: StoryDraft) {
    try {
      const category = draft.category as PostCategory;
      const sent = post ? await editPost(db, post.id, draft, category) : await createPost(draft, category);
      removeStoryDraft(db, postId);
      toast(sent.status === 'published' ? PUBLISHED : WAITS_FOR_REVIEW);
      onClose();
    } catch (failure) {
      // The server deletes an upload that was not used for a day.
      if (fieldErrors(failure).featuredImage) form.set({ picture: null });
      throw failure;
    }
  }

  function discard() {
    removeStoryDraft(db, postId);
    form.reset(post ? draftOf(post) : emptyDraft());
  }

  return { form, send, isRestored: restored !== null, isStored, discard };
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

type StoryFieldsProps = {
  form: Form<StoryDraft>;
  categories: readonly PostCategory[];
  onUploading: (busy: boolean) => void;
};

function StoryFields({ form, categories, onUploading }: StoryFieldsProps) {
  return (
    <>
      <TextField label="Title" maxLength={MAX_CREATE_POST_TITLE} {...form.field('title')} />
      <TextField
        hint="One or two sentences, shown in the list."
        label="Brief Summary"
        maxLength={MAX_CREATE_POST_EXCERPT}
        {...form.field('excerpt')}
      />
      <Select label="Category" {...form.field('category')}>
        <option value="">Choose a category</option>
        {categories.map((category) => (
          <option key={category} value={category}>
            {categoryLabels[category]}
            {category === 'blog' && ' (official)'}
          </option>
        ))}
      </Select>
      <StoryText
        error={form.errorOf('content')}
        onChange={(content) => form.set({ content })}
        value={form.values.content}
      />
      <TextField
        hint={`Up to ${MAX_OWN_TAGS}, with commas between them, such as long distance, first dates.`}
        label="Tags (optional)"
        maxLength={MAX_TAGS_TEXT}
        {...form.field('tags')}
      />
      <PictureField
        onChange={(picture) => form.set({ picture })}
        onUploading={onUploading}
        picture={form.values.picture}
      />
    </>
  );
}
