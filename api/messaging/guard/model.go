package guard

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"io"
)

// bucketBits make as many buckets as features are hashed into.
const bucketBits = 16

// Buckets is how many features the model tells apart.
const Buckets = 1 << bucketBits

// model is a logistic regression for each category over the same features.
type model struct {
	corpus    [32]byte // the SHA-256 of what it was trained with
	scale     float64
	bias      [categories]float64
	threshold [Lengths][categories]float64
	weights   [Buckets][categories]int8
}

//go:embed weights.gz
var packed []byte

var trained = unpack(packed)

// Corpus is the SHA-256, in hex, of the corpus that the model was trained with.
func Corpus() string { return hex.EncodeToString(trained.corpus[:]) }

// unpack reads what scripts/guard writes. Weights that cannot be read are a
// broken build.
func unpack(packed []byte) (m model) {
	in, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		err = binary.Read(in, binary.LittleEndian, &m.corpus)
	}
	for _, part := range []any{&m.scale, &m.bias, &m.threshold, &m.weights} {
		if err == nil {
			err = binary.Read(in, binary.LittleEndian, part)
		}
	}
	if err == nil {
		_, err = in.Read(make([]byte, 1))
		if err == io.EOF {
			return m
		}
	}
	panic("guard: weights.gz is not what scripts/guard writes")
}
