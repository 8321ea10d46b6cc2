import type { Recording } from '@/api/types.ts';
import { storageKeys } from '@/session/storage.ts';
import type { Draft } from './draft.ts';

/** Unsaved changes of the profile, in localStorage. Signing out removes them. */
type Stored = { memberId: string; patch: Partial<Draft> };

export function readDraft(memberId: string): Partial<Draft> {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKeys.profileDraft) ?? 'null') as Stored | null;
    return stored?.memberId === memberId ? stored.patch : {};
  } catch {
    return {};
  }
}

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

export function storeDraft(memberId: string, patch: Partial<Draft>): void {
  try {
    if (Object.keys(patch).length === 0) localStorage.removeItem(storageKeys.profileDraft);
    else localStorage.setItem(storageKeys.profileDraft, JSON.stringify({ memberId, patch }));
  } catch {
    // The device is full: the draft is lost when its screen closes.
  }
}
