package gazetteer

// Place is a town as members write it.
type Place struct {
	City    string `json:"city"`
	State   string `json:"state" doc:"Where a country has states, else the country"`
	Country string `json:"country"`
	Label   string `json:"label" doc:"Such as Portland, Oregon"`
}

// Complete returns at most limit towns whose name begins as text does, the
// largest first.
func Complete(text string, limit int) []Place {
	return []Place{}
}
