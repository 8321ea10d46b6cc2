package images

import (
	"image"
	"math"
)

// Crop is a part of an upright picture, in shares of its width and height. Clients crop pictures themselves; they send a Crop
// only if the browser falsifies what is drawn on a canvas.
type Crop struct {
	X      float64 `json:"x" minimum:"0" maximum:"1"`
	Y      float64 `json:"y" minimum:"0" maximum:"1"`
	Width  float64 `json:"width" minimum:"0" maximum:"1"`
	Height float64 `json:"height" minimum:"0" maximum:"1"`
}

// cut returns the part of src, a decoded picture that was not rotated by its EXIF orientation yet. It returns all of src if
// the part has no pixel.
func (c Crop) cut(src image.Image, orientation int) image.Image {
	part, ok := src.(interface {
		SubImage(r image.Rectangle) image.Image
	})
	if !ok {
		return src
	}
	left, top := storedPosition(c.X, c.Y, orientation)
	right, bottom := storedPosition(c.X+c.Width, c.Y+c.Height, orientation)
	bounds := src.Bounds()
	pixel := func(x, y float64) image.Point {
		return bounds.Min.Add(image.Pt(int(math.Round(x*float64(bounds.Dx()))), int(math.Round(y*float64(bounds.Dy())))))
	}
	rect := image.Rectangle{Min: pixel(left, top), Max: pixel(right, bottom)}.Canon().Intersect(bounds)
	if rect.Empty() {
		return src
	}
	return part.SubImage(rect)
}

// storedPosition returns the position in the stored picture of a position in the upright one, both in shares of the sides.
// It is the inverse of orientedPosition.
func storedPosition(x, y float64, orientation int) (float64, float64) {
	switch orientation {
	case 2:
		return 1 - x, y
	case 3:
		return 1 - x, 1 - y
	case 4:
		return x, 1 - y
	case 5:
		return y, x
	case 6:
		return y, 1 - x
	case 7:
		return 1 - y, 1 - x
	case 8:
		return 1 - y, x
	}
	return x, y
}
