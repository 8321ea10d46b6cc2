/** Calculations for cropping a picture to an aspect ratio, in the picture's own pixels. */

export type Size = { width: number; height: number };
/** The middle of the crop, and the zoom; 1 is the largest crop that fits. */
export type View = { x: number; y: number; zoom: number };

/** A part of a picture, in shares of its sides. */
export type Crop = { x: number; y: number; width: number; height: number };

/** A picture to be added, and the part of it that the server cuts out if the browser cannot. */
export type CroppedPicture = { bytes: Blob; crop?: Crop };

export const MAX_ZOOM = 4;

/** Returns the size of the crop: the largest of this ratio, divided by the zoom. */
export function cropSize(image: Size, ratio: number, zoom: number): Size {
  const wide = image.width / image.height > ratio;
  const width = wide ? image.height * ratio : image.width;
  return { width: width / zoom, height: width / ratio / zoom };
}

/** Returns the view in shares of the picture's sides. */
export function partOf(image: Size, ratio: number, { x, y, zoom }: View): Crop {
  const { width, height } = cropSize(image, ratio, zoom);
  const share = (value: number, of: number) => clamp(value / of, 0, 1);
  return {
    x: share(x - width / 2, image.width),
    y: share(y - height / 2, image.height),
    width: share(width, image.width),
    height: share(height, image.height),
  };
}

/** Returns the largest crop, in the middle of the picture. */
export function initialView(image: Size): View {
  return { x: image.width / 2, y: image.height / 2, zoom: 1 };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high));
}

/** Returns the nearest view that lies inside the picture. */
export function clampView(image: Size, ratio: number, view: View): View {
  const zoom = clamp(view.zoom, 1, MAX_ZOOM);
  const { width, height } = cropSize(image, ratio, zoom);
  return {
    zoom,
    x: clamp(view.x, width / 2, image.width - width / 2),
    y: clamp(view.y, height / 2, image.height - height / 2),
  };
}

/** Moves the crop by shares of its size: half a frame to the right is `{ x: 0.5, y: 0 }`. */
export function pan(image: Size, ratio: number, view: View, by: { x: number; y: number }): View {
  const { width, height } = cropSize(image, ratio, view.zoom);
  return clampView(image, ratio, { ...view, x: view.x + by.x * width, y: view.y + by.y * height });
}

/** Zooms around a fixed point; `at` is its distance from the middle, in shares of the frame. */
export function zoomTo(image: Size, ratio: number, view: View, zoom: number, at = { x: 0, y: 0 }): View {
  const next = clamp(zoom, 1, MAX_ZOOM);
  const before = cropSize(image, ratio, view.zoom);
  const after = cropSize(image, ratio, next);
  return clampView(image, ratio, {
    zoom: next,
    x: view.x + at.x * (before.width - after.width),
    y: view.y + at.y * (before.height - after.height),
  });
}

/** Returns the size of the cropped picture: never enlarged, with a longest side of at most `longest`. */
export function outputSize(image: Size, ratio: number, zoom: number, longest: number): Size {
  const { width, height } = cropSize(image, ratio, zoom);
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
