/** A canvas for tests: jsdom has none. */

/** Returns a context that returns the colour it was filled with, as browsers do unless they resist fingerprinting. */
export function trueContext() {
  const context = {
    fillStyle: '',
    fillRect: () => undefined,
    drawImage: () => undefined,
    getImageData: (_x: number, _y: number, width: number, height: number) => {
      const colour = context.fillStyle.match(/[0-9a-f]{2}/g)?.map((part) => Number.parseInt(part, 16)) ?? [];
      return { data: Array.from({ length: width * height }, () => [...colour, 255]).flat() };
    },
  };
  return context;
}
