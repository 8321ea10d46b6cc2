import type { Recording } from '@/api/types.ts';
import { readMemberDraft, storeMemberDraft } from '@/session/memberDraft.ts';
import type { Draft } from './profileDraft.ts';

/** Returns the member's unsaved changes of the profile. */
export const readDraft = (memberId: string): Partial<Draft> => readMemberDraft(memberId, 'profile') ?? {};

type VoiceListener = (question: string, voice: Recording) => void;
const voiceListeners = new Set<VoiceListener>();

/** Calls the listener with each recorded answer that addVoice adds to the draft. */
export function onVoiceAdded(listener: VoiceListener): () => void {
  voiceListeners.add(listener);
  return () => void voiceListeners.delete(listener);
}

/** Adds a recorded answer to the draft after the server has stored it; otherwise saving the draft would remove it. */
export function addVoice(memberId: string, question: string, voice: Recording): void {
  storeDraft(memberId, withVoice(readDraft(memberId), question, voice));
  for (const listener of voiceListeners) listener(question, voice);
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
export function storeDraft(memberId: string, patch: Partial<Draft>): void {
  storeMemberDraft(memberId, 'profile', Object.keys(patch).length > 0 ? patch : undefined);
}
