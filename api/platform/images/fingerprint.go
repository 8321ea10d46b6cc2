package images

import (
	"bytes"
	"fmt"
	"image"

	"golang.org/x/image/webp"
)

// FingerprintAlgorithm is the name and version of the algorithm of Fingerprint. It changes with every
// change of its results, so that stored hashes are compared only with hashes of the same kind.
const FingerprintAlgorithm = "dhash/1"

// The grid of Fingerprint: one bit for each two neighbours of a row.
const (
	fingerprintWidth  = 9
	fingerprintHeight = 8
)

// Contrast that a picture needs for a fingerprint: minEdges of the 64 differences between
// neighbours are at least minDifference of 255.
const (
	minDifference = 3
	minEdges      = 20
)

// Fingerprint returns the difference hash (dHash) of a WebP picture. It divides the picture into a
// grid of 9×8 cells; each bit says whether a cell is brighter than its right neighbour. The hashes of a picture and of a
// smaller, recompressed or slightly brighter copy differ in few bits. A mirrored, rotated or
// clearly cropped copy, and another picture of the same person, have an unrelated hash.
//
// ok is false for a picture with little contrast, such as a plain wall, whose hash says nothing.
func Fingerprint(raw []byte) (hash uint64, ok bool, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("decoder panicked: %v", cause)
		}
	}()
	picture, err := webp.Decode(bytes.NewReader(raw))
	if err != nil {
		return 0, false, fmt.Errorf("decoding a picture: %w", err)
	}
	grid := brightnesses(picture)
	edges := 0
	for y := range fingerprintHeight {
		for x := range fingerprintWidth - 1 {
			difference := grid[y][x] - grid[y][x+1]
			hash <<= 1
			if difference > 0 {
				hash |= 1
			}
			if max(difference, -difference) >= minDifference {
				edges++
			}
		}
	}
	return hash, edges >= minEdges, nil
}

// brightnesses returns the mean luma of the cells of a grid, 0 to 255.
func brightnesses(picture image.Image) (grid [fingerprintHeight][fingerprintWidth]int) {
	var sums, counts [fingerprintHeight][fingerprintWidth]int
	bounds := picture.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		row := (y - bounds.Min.Y) * fingerprintHeight / bounds.Dy()
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			column := (x - bounds.Min.X) * fingerprintWidth / bounds.Dx()
			r, g, b, _ := picture.At(x, y).RGBA()
			sums[row][column] += int((299*r + 587*g + 114*b) / 1000 >> 8) // ITU-R BT.601
			counts[row][column]++
		}
	}
	for row := range grid {
		for column := range grid[row] {
			if n := counts[row][column]; n > 0 {
				grid[row][column] = sums[row][column] / n
			}
		}
	}
	return grid
}
