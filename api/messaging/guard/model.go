package guard

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
)

// bucketBits is the number of bits of a bucket.
const bucketBits = 16

// Buckets is the number of buckets that features are hashed into.
const Buckets = 1 << bucketBits

// model is a logistic regression for each category over the same features.
type model struct {
	corpus    [32]byte // SHA-256 of the corpus that it was trained with
	scale     float64
	bias      [categories]float64
	threshold [LengthClasses][categories]float64
	weights   [Buckets][categories]int8
}

//go:embed weights.gz
var compressed []byte

var trained = decode(compressed)

// Corpus returns the SHA-256, in hex, of the corpus that the model was trained with.
func Corpus() string { return hex.EncodeToString(trained.corpus[:]) }

// decode reads what scripts/guard writes. It panics if it cannot, because then the
// build is defective.
func decode(compressed []byte) (m model) {
	in, err := gzip.NewReader(bytes.NewReader(compressed))
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
		if errors.Is(err, io.EOF) {
			return m
		}
	}
	panic("guard: weights.gz is not what scripts/guard writes")
}
