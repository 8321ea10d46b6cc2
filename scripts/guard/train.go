package main

import (
	"math"
	"math/rand/v2"

	"heartward/api/messaging/guard"
)

const (
	epochs = 20
	rate   = 0.2
	decay  = 5e-5 // L2 regularization
)

// model is a one-against-all logistic regression for each category.
type model struct {
	weights [][categories]float64
	bias    [categories]float64
}

// train fits a model by AdaGrad. The conversions keep compilers from fusing
// operations, whose rounding would differ between platforms.
func train(examples []example, use func(example) bool) *model {
	m := &model{weights: make([][categories]float64, guard.Buckets)}
	squares := make([][categories]float64, guard.Buckets)
	var biasSquares [categories]float64
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
			residuals := m.score(e)
			if e.category >= 0 {
				residuals[e.category]--
			}
			for c := range residuals {
				residuals[c] = float64(residuals[c] * e.weight)
				biasSquares[c] += float64(residuals[c] * residuals[c])
				m.bias[c] -= float64(rate * 0.1 * residuals[c] / math.Sqrt(biasSquares[c]+1e-8))
			}
			for _, bucket := range e.features {
				learn(&m.weights[bucket], &squares[bucket], &residuals, e.value)
			}
		}
	}
	return m
}

// learn updates the weights of one feature by the residuals of the scores.
func learn(weights, squares, residuals *[categories]float64, value float64) {
	for c := range weights {
		step := float64(residuals[c]*value) + float64(decay*weights[c])
		squares[c] += float64(step * step)
		weights[c] -= float64(rate * step / math.Sqrt(squares[c]+1e-8))
	}
}

// score returns the model's confidence in each category.
func (m *model) score(e example) (scores [categories]float64) {
	for _, bucket := range e.features {
		weights := &m.weights[bucket]
		for c := range scores {
			scores[c] += weights[c]
		}
	}
	for c := range scores {
		scores[c] = 1 / (1 + math.Exp(-m.bias[c]-float64(scores[c]*e.value)))
	}
	return scores
}
