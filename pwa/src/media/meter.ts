import { loudness } from './levels.ts';

const everyMs = 50;

/** Listens to a stream and says how loud it is, twenty times a second, until the returned function is called. */
export function meter(stream: MediaStream, hear: (level: number) => void): () => void {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 1024;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    hear(loudness(samples));
  }, everyMs);
  return () => {
    clearInterval(timer);
    void context.close();
  };
}
