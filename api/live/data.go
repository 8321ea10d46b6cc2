package live

import (
	"time"

	"heartward/api/platform/feature"
)

// Data is what happens to the rows of presence. Those that are not renewed belong to nodes that have ended.
var Data = feature.Data{
	Tables: []string{"presence", "presence_nodes"},
	Retention: []feature.Retention{
		{Table: "presence", What: "presence", End: feature.After(10*time.Minute, "seen_at", "the last frame")},
		{Table: "presence_nodes", What: "nodes with sockets", End: feature.ByAction("when another node finds that the node has ended")},
	},
}
