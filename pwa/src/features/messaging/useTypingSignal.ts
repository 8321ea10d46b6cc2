import { useCallback, useEffect, useRef } from 'react';
import { useSocket } from '@/live/sessionSocket.ts';

const TYPING_REPEAT_MS = 3000;
const TYPING_STOP_MS = 4000;

/** Sends typing signals: a start at most every 3 s, a stop after 4 s without input. */
export function useTypingSignal(recipientId: string) {
  const socket = useSocket();
  const lastSent = useRef(0);
  const idle = useRef<ReturnType<typeof setTimeout>>(undefined);

  const stop = useCallback(() => {
    clearTimeout(idle.current);
    if (lastSent.current === 0) return;
    lastSent.current = 0;
    socket.send({ type: 'typing_stop', recipientId });
  }, [socket, recipientId]);

  const typed = useCallback(() => {
    clearTimeout(idle.current);
    idle.current = setTimeout(stop, TYPING_STOP_MS);
    if (Date.now() - lastSent.current < TYPING_REPEAT_MS) return;
    lastSent.current = Date.now();
    socket.send({ type: 'typing_start', recipientId });
  }, [socket, recipientId, stop]);

  useEffect(() => stop, [stop]);
  return { typed, stop };
}
