import { loudness } from './levels.ts';

const INTERVAL_MS = 50;

/** Measures the loudness of a stream every INTERVAL_MS, until the returned function is called. */
export function meter(stream: MediaStream, onLevel: (level: number) => void): () => void {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 1024;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    onLevel(loudness(samples));
  }, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    void context.close();
  };
}
