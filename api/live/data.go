package live

import "heartward/api/platform/feature"

// Data is what happens to the rows of open sockets. Old ones belong to nodes that are gone.
var Data = feature.Data{
	Tables:  []string{"presence", "presence_nodes"},
	Expired: []feature.Expired{{Table: "presence", Where: `seen_at < now() - interval '10 minutes'`}},
}
