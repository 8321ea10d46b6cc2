import type { Recording } from '@/api/types.ts';
import { type InSession, part } from '@/base/pageSession.ts';
import { readMemberDraft, storeMemberDraft } from '@/session/memberDraft.ts';
import type { Draft } from './profileDraft.ts';

/** Returns the member's unsaved changes of the profile. */
export const readDraft = (owner: InSession): Partial<Draft> => readMemberDraft(owner, 'profile') ?? {};

type VoiceListener = (question: string, voice: Recording) => void;
const voiceListenersOf = part(() => new Set<VoiceListener>());

/** Calls the listener with each recorded answer that addVoice adds to the draft. */
export function onVoiceAdded(owner: InSession, listener: VoiceListener): () => void {
  const listeners = voiceListenersOf(owner);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Adds a recorded answer to the draft after the server has stored it; otherwise saving the draft would remove it. */
export function addVoice(owner: InSession, question: string, voice: Recording): void {
  storeDraft(owner, withVoice(readDraft(owner), question, voice));
  for (const listener of voiceListenersOf(owner)) listener(question, voice);
}

/** Returns the changes with the recording, if they contain the prompt. */
export function withVoice(patch: Partial<Draft>, question: string, voice: Recording): Partial<Draft> {
  if (!patch.prompts) return patch;
  const prompts = patch.prompts.map((prompt) =>
    prompt.question === question ? { ...prompt, voice } : prompt,
  );
  return { ...patch, prompts };
}

/** Stores the changes until they are saved. On a full device they are lost when the screen closes. */
export function storeDraft(owner: InSession, patch: Partial<Draft>): void {
  storeMemberDraft(owner, 'profile', Object.keys(patch).length > 0 ? patch : undefined);
}
