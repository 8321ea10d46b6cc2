package images

import (
	"image"
	"image/draw"
)

// shrink returns src on white, scaled so that its longest side is at most longest.
// Each pixel is the average of the pixels of src that it covers. The averages are computed row by
// row in integers: widths are in units of which a pixel of src has as many as dst has columns, and a
// pixel of dst as many as src has columns. Heights are in such units too, with rows.
func shrink(src image.Image, longest int) *image.NRGBA {
	from := src.Bounds()
	size := fit(from.Size(), longest)
	dst := image.NewNRGBA(image.Rectangle{Max: size})
	row := image.NewRGBA(image.Rect(0, 0, from.Dx(), 1))
	sums := make([]uint64, size.X*3)
	y, filled := 0, 0 // the current row of dst, and its filled height
	for sy := range from.Dy() {
		draw.Draw(row, row.Rect, image.White, image.Point{}, draw.Src)
		draw.Draw(row, row.Rect, src, image.Pt(from.Min.X, from.Min.Y+sy), draw.Over)
		for remaining := size.Y; remaining > 0; {
			part := min(remaining, from.Dy()-filled)
			addRow(sums, row.Pix, from.Dx(), part)
			remaining -= part
			if filled += part; filled == from.Dy() {
				putRow(dst, y, sums, uint64(from.Dx())*uint64(from.Dy()))
				clear(sums)
				y, filled = y+1, 0
			}
		}
	}
	return dst
}

// addRow adds a row of RGBA pixels, multiplied by weight, to the sums of a row of
// dst.
func addRow(sums []uint64, pix []uint8, width, weight int) {
	columns := len(sums) / 3
	x, filled := 0, 0
	for i := 0; i < len(pix); i += 4 {
		for remaining := columns; remaining > 0; {
			part := min(remaining, width-filled)
			w := uint64(part) * uint64(weight)
			sums[x*3] += uint64(pix[i]) * w
			sums[x*3+1] += uint64(pix[i+1]) * w
			sums[x*3+2] += uint64(pix[i+2]) * w
			remaining -= part
			if filled += part; filled == width {
				x, filled = x+1, 0
			}
		}
	}
}

// putRow writes row y of dst from the sums of its pixels. area is the sum of the weights of a pixel.
func putRow(dst *image.NRGBA, y int, sums []uint64, area uint64) {
	out := dst.Pix[y*dst.Stride : (y+1)*dst.Stride]
	for x := range len(sums) / 3 {
		for c := range 3 {
			out[x*4+c] = uint8((sums[x*3+c] + area/2) / area)
		}
		out[x*4+3] = 255
	}
}

// fit returns the size scaled down so that its longest side is at most longest.
func fit(size image.Point, longest int) image.Point {
	side := max(size.X, size.Y)
	if side <= longest {
		return size
	}
	return image.Pt(max(1, size.X*longest/side), max(1, size.Y*longest/side))
}
