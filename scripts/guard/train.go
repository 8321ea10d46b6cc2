package main

import (
	"math"
	"math/rand/v2"

	"heartward/api/messaging/guard"
)

const (
	epochs = 20
	rate   = 0.2
	shrink = 5e-5 // keeps the weights of rare features small
)

// model is a one-against-all logistic regression for each category.
type model struct {
	of   [][categories]float64
	bias [categories]float64
}

// train fits a model by AdaGrad. The conversions keep compilers from fusing
// operations, whose rounding would differ between platforms.
func train(examples []example, use func(example) bool) *model {
	m := &model{of: make([][categories]float64, guard.Buckets)}
	seen := make([][categories]float64, guard.Buckets)
	var biasSeen [categories]float64
	var order []int
	for i, e := range examples {
		if use(e) {
			order = append(order, i)
		}
	}
	random := rand.New(rand.NewPCG(7, 1))
	for range epochs {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			e := examples[i]
			wrong := m.score(e)
			if e.category >= 0 {
				wrong[e.category]--
			}
			for c := range wrong {
				wrong[c] = float64(wrong[c] * e.counts)
				biasSeen[c] += float64(wrong[c] * wrong[c])
				m.bias[c] -= float64(rate * 0.1 * wrong[c] / math.Sqrt(biasSeen[c]+1e-8))
			}
			for _, bucket := range e.features {
				learn(&m.of[bucket], &seen[bucket], &wrong, e.weight)
			}
		}
	}
	return m
}

// learn updates the weights of one feature against the errors.
func learn(of, seen, wrong *[categories]float64, weight float64) {
	for c := range of {
		step := float64(wrong[c]*weight) + float64(shrink*of[c])
		seen[c] += float64(step * step)
		of[c] -= float64(rate * step / math.Sqrt(seen[c]+1e-8))
	}
}

// score returns the model's confidence in each category.
func (m *model) score(e example) (sure [categories]float64) {
	for _, bucket := range e.features {
		of := &m.of[bucket]
		for c := range sure {
			sure[c] += of[c]
		}
	}
	for c := range sure {
		sure[c] = 1 / (1 + math.Exp(-m.bias[c]-float64(sure[c]*e.weight)))
	}
	return sure
}
