/** The arithmetic of cutting a picture to a shape, in the picture's own pixels. */

export type Size = { width: number; height: number };
/** The middle of what is kept, and how much closer than "as much as fits". */
export type View = { x: number; y: number; zoom: number };

export const closest = 4;

/** How much of the picture is kept: as much as the shape allows, less when closer. */
export function kept(image: Size, ratio: number, zoom: number): Size {
  const wide = image.width / image.height > ratio;
  const width = wide ? image.height * ratio : image.width;
  return { width: width / zoom, height: width / ratio / zoom };
}

export function wholeView(image: Size): View {
  return { x: image.width / 2, y: image.height / 2, zoom: 1 };
}

function within(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high));
}

/** The nearest view that shows nothing but picture. */
export function inside(image: Size, ratio: number, view: View): View {
  const zoom = within(view.zoom, 1, closest);
  const { width, height } = kept(image, ratio, zoom);
  return {
    zoom,
    x: within(view.x, width / 2, image.width - width / 2),
    y: within(view.y, height / 2, image.height - height / 2),
  };
}

/** Moves what is kept by shares of itself: half a frame to the right is `{ x: 0.5, y: 0 }`. */
export function panned(image: Size, ratio: number, view: View, by: { x: number; y: number }): View {
  const { width, height } = kept(image, ratio, view.zoom);
  return inside(image, ratio, { ...view, x: view.x + by.x * width, y: view.y + by.y * height });
}

/** Closer or further, with the spot under the finger staying there; `at` is its share of the frame from the middle. */
export function zoomed(image: Size, ratio: number, view: View, zoom: number, at = { x: 0, y: 0 }): View {
  const next = within(zoom, 1, closest);
  const before = kept(image, ratio, view.zoom);
  const after = kept(image, ratio, next);
  return inside(image, ratio, {
    zoom: next,
    x: view.x + at.x * (before.width - after.width),
    y: view.y + at.y * (before.height - after.height),
  });
}

/** The size of the cut picture: its own pixels, never enlarged, the longest side bounded. */
export function cutSize(image: Size, ratio: number, zoom: number, longest: number): Size {
  const { width, height } = kept(image, ratio, zoom);
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
