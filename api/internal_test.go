package api

import "heartward/api/live"

// FeatureNames returns the names of the features from the lowest to the highest.
func FeatureNames() (names []string) {
	for _, f := range (Services{}).features() {
		names = append(names, f.name)
	}
	return names
}

// TablesByPackage returns the tables of each package that stores data.
func TablesByPackage() map[string][]string {
	tables := map[string][]string{"api/live": live.Data.Tables, "api/platform/limits": limitsData.Tables}
	for _, f := range (Services{}).features() {
		tables["api/"+f.name] = f.data.Tables
	}
	return tables
}
