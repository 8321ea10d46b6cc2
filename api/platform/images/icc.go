package images

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image"
	"io"
	"math"
)

// toSRGB converts the pixels of m, decoded from raw, from the colour profile of raw to sRGB, because the result has no
// profile and browsers assume sRGB. The cameras of phones use Display P3, whose colours would look pale. Profiles other than
// RGB profiles of a matrix and three curves (ICC.1:2022, 8.4.3), such as those of printers, are ignored.
func toSRGB(m *image.NRGBA, raw []byte) {
	p, ok := parseICC(iccOf(raw))
	if !ok {
		return
	}
	matrix := multiply(xyzToSRGB, p.toXYZ)
	if isIdentity(matrix) && p.hasCurveOfSRGB() {
		return
	}
	for i := 0; i < len(m.Pix); i += 4 {
		linear := [3]float64{p.curves[0][m.Pix[i]], p.curves[1][m.Pix[i+1]], p.curves[2][m.Pix[i+2]]}
		for c, row := range matrix {
			m.Pix[i+c] = encodeSRGB(row[0]*linear[0] + row[1]*linear[1] + row[2]*linear[2])
		}
	}
}

type matrix3 [3][3]float64

// The matrix of linear sRGB (IEC 61966-2-1) and its inverse, adapted by Bradford to D50, as the matrices of profiles are.
var (
	srgbToXYZ = matrix3{{0.4360747, 0.3850649, 0.1430804}, {0.2225045, 0.7168786, 0.0606169}, {0.0139322, 0.0971045, 0.7141733}}
	xyzToSRGB = invert(srgbToXYZ)
)

func multiply(a, b matrix3) (product matrix3) {
	for row := range 3 {
		for column := range 3 {
			for k := range 3 {
				product[row][column] += a[row][k] * b[k][column]
			}
		}
	}
	return product
}

func invert(m matrix3) (inverse matrix3) {
	cofactor := func(row, column int) float64 {
		a, b := (row+1)%3, (row+2)%3
		c, d := (column+1)%3, (column+2)%3
		return m[a][c]*m[b][d] - m[a][d]*m[b][c]
	}
	determinant := m[0][0]*cofactor(0, 0) + m[0][1]*cofactor(0, 1) + m[0][2]*cofactor(0, 2)
	for row := range 3 {
		for column := range 3 {
			inverse[row][column] = cofactor(column, row) / determinant
		}
	}
	return inverse
}

// isIdentity reports whether the matrix changes no colour by a visible amount.
func isIdentity(m matrix3) bool {
	for row := range 3 {
		for column := range 3 {
			expected := 0.0
			if row == column {
				expected = 1
			}
			if math.Abs(m[row][column]-expected) > 0.005 {
				return false
			}
		}
	}
	return true
}

// srgbSteps is the number of steps of srgbTable: enough that each byte has a step of its own.
const srgbSteps = 4096

// srgbTable has the sRGB byte of linear light, in steps from 0 to 1.
var srgbTable = func() (table [srgbSteps + 1]uint8) {
	for i := range table {
		linear := float64(i) / srgbSteps
		value := 12.92 * linear
		if linear > 0.0031308 {
			value = 1.055*math.Pow(linear, 1/2.4) - 0.055
		}
		table[i] = uint8(math.Round(value * 255))
	}
	return table
}()

func encodeSRGB(linear float64) uint8 {
	return srgbTable[int(math.Round(min(max(linear, 0), 1)*srgbSteps))]
}

func decodeSRGB(value float64) float64 {
	if value <= 0.04045 {
		return value / 12.92
	}
	return math.Pow((value+0.055)/1.055, 2.4)
}

// iccProfile is a colour profile of a matrix and three curves.
type iccProfile struct {
	toXYZ  matrix3
	curves [3][256]float64 // linear light by byte
}

// hasCurveOfSRGB reports whether the curve of green, which stands for all three, is visibly that of sRGB.
func (p iccProfile) hasCurveOfSRGB() bool {
	for i, linear := range p.curves[1] {
		if math.Abs(linear-decodeSRGB(float64(i)/255)) > 0.005 {
			return false
		}
	}
	return true
}

// parseICC reads an ICC profile. It reports false for another kind of profile, and for a damaged one.
func parseICC(raw []byte) (p iccProfile, ok bool) {
	const header = 128
	if len(raw) < header+4 || string(raw[16:20]) != "RGB " || string(raw[20:24]) != "XYZ " {
		return p, false
	}
	for c, name := range []string{"r", "g", "b"} {
		column, isPoint := readXYZ(tag(raw, name+"XYZ"))
		curve, isCurve := readCurve(tag(raw, name+"TRC"))
		if !isPoint || !isCurve {
			return p, false
		}
		p.curves[c] = curve
		for row := range 3 {
			p.toXYZ[row][c] = column[row]
		}
	}
	return p, true
}

// tag returns the data of a tag; nil if the profile has none. It reads at most 100 entries of the table, because a damaged
// profile can claim four billion.
func tag(raw []byte, name string) []byte {
	const table, entry, maxEntries = 132, 12, 100
	for i := range min(binary.BigEndian.Uint32(raw[128:]), maxEntries) {
		at := table + int(i)*entry
		if at+entry > len(raw) {
			return nil
		}
		if string(raw[at:at+4]) != name {
			continue
		}
		from, size := uint64(binary.BigEndian.Uint32(raw[at+4:])), uint64(binary.BigEndian.Uint32(raw[at+8:]))
		if from+size > uint64(len(raw)) {
			return nil
		}
		return raw[from : from+size]
	}
	return nil
}

// s15Fixed16 reads an s15Fixed16Number (ICC.1:2022, 4.6).
func s15Fixed16(raw []byte) float64 { return float64(int32(binary.BigEndian.Uint32(raw))) / 65536 }

// readXYZ reads the only colour of an XYZType. It reports false for another type.
func readXYZ(data []byte) (xyz [3]float64, ok bool) {
	if len(data) < 20 || string(data[:4]) != "XYZ " {
		return xyz, false
	}
	for i := range xyz {
		xyz[i] = s15Fixed16(data[8+4*i:])
	}
	return xyz, true
}

// readCurve returns the linear light of each byte by a curve: a gamma, a table, or a function with parameters. It reports
// false for another type, and for a curve with a value that is not finite.
func readCurve(data []byte) (linear [256]float64, ok bool) {
	if len(data) < 12 {
		return linear, false
	}
	var f func(x float64) float64
	switch count := int(binary.BigEndian.Uint32(data[8:])); {
	case string(data[:4]) == "para":
		f = parametric(data)
	case string(data[:4]) != "curv":
	case count == 0:
		f = func(x float64) float64 { return x }
	case count == 1 && len(data) >= 14:
		gamma := float64(binary.BigEndian.Uint16(data[12:])) / 256
		f = func(x float64) float64 { return math.Pow(x, gamma) }
	case count > 1 && count <= 4096 && len(data) >= 12+2*count:
		f = func(x float64) float64 { return sample(data[12:], count, x) }
	}
	if f == nil {
		return linear, false
	}
	for i := range linear {
		if linear[i] = f(float64(i) / 255); math.IsNaN(linear[i]) || math.IsInf(linear[i], 0) {
			return linear, false
		}
	}
	return linear, true
}

// sample returns the value at x, from 0 to 1, by linear interpolation in a table of count 16-bit numbers.
func sample(table []byte, count int, x float64) float64 {
	position := x * float64(count-1)
	low := int(position)
	value := func(i int) float64 { return float64(binary.BigEndian.Uint16(table[2*min(i, count-1):])) / 65535 }
	return value(low) + (value(low+1)-value(low))*(position-float64(low))
}

// parametric returns the function of a parametricCurveType (ICC.1:2022, 10.18); nil if it is unknown or damaged.
func parametric(data []byte) func(x float64) float64 {
	kind := int(binary.BigEndian.Uint16(data[8:]))
	counts := []int{1, 3, 4, 5, 7}
	if kind >= len(counts) || len(data) < 12+4*counts[kind] {
		return nil
	}
	var p [7]float64 // g a b c d e f
	for i := range counts[kind] {
		p[i] = s15Fixed16(data[12+4*i:])
	}
	g, a, b, c, d, e, f := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	switch kind {
	case 0:
		return func(x float64) float64 { return math.Pow(x, g) }
	case 1, 2: // c is an offset of both parts
		return func(x float64) float64 {
			if a*x+b < 0 {
				return c
			}
			return math.Pow(a*x+b, g) + c
		}
	}
	return func(x float64) float64 {
		if x < d {
			return c*x + f
		}
		return math.Pow(a*x+b, g) + e
	}
}

// maxICC is the size in bytes of the largest profile that is read. Those of cameras have less than 4 kB.
const maxICC = 64 << 10

// iccOf returns the ICC profile of a JPEG, PNG or WebP file; nil if there is none.
func iccOf(raw []byte) []byte {
	switch {
	case isJPEG(raw):
		return iccOfJPEG(raw[2:])
	case isPNG(raw):
		return iccOfPNG(raw)
	case isRIFF(raw):
		return riffChunk(raw, "ICCP")
	}
	return nil
}

// iccOfPNG decompresses the chunk with the profile: its name, a zero, a byte for the method, and the compressed profile.
func iccOfPNG(raw []byte) []byte {
	_, data, ok := bytes.Cut(pngChunk(raw, "iCCP"), []byte{0})
	if !ok || len(data) < 1 {
		return nil
	}
	r, err := zlib.NewReader(bytes.NewReader(data[1:]))
	if err != nil {
		return nil
	}
	content, err := io.ReadAll(io.LimitReader(r, maxICC))
	if err != nil {
		return nil
	}
	return content
}

// iccOfJPEG joins the parts of the profile. Each is in a segment of its own, because a segment has at most 64 kB.
func iccOfJPEG(rest []byte) []byte {
	const app2 = 0xe2
	name := []byte("ICC_PROFILE\x00")
	parts := map[byte][]byte{}
	for marker, body := range segments(rest) {
		if marker == app2 && bytes.HasPrefix(body, name) && len(body) > len(name)+2 {
			parts[body[len(name)]] = body[len(name)+2:]
		}
	}
	var joined []byte
	for number := byte(1); parts[number] != nil && len(joined) < maxICC; number++ {
		joined = append(joined, parts[number]...)
	}
	return joined
}
