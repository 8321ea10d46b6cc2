package pgtest

import (
	"context"
	"runtime"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// sent is a statement with the package that sent it, such as api/messaging.
type sent struct{ pkg, sql string }

// known has the statements of all tests of the process, so that each is checked only once.
var known sync.Map // of sent

// recorder is the tracer of one pool. It keeps the statements that no other test of the process has sent before.
type recorder struct {
	mu        sync.Mutex
	unchecked []sent
}

// trace is a pg.Option.
func (r *recorder) trace(config *pgxpool.Config) { config.ConnConfig.Tracer = r }

func (r *recorder) record(ctx context.Context, conn *pgx.Conn, sql string, args []any) {
	pkg := sendingPackage()
	if pkg == "" {
		return
	}
	if _, isKnown := known.LoadOrStore(sent{pkg, sql}, true); isKnown {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unchecked = append(r.unchecked, sent{pkg, numberArguments(ctx, conn, sql, args)})
}

// numberArguments returns a statement as pgx sends it: with $1 for the first named argument.
func numberArguments(ctx context.Context, conn *pgx.Conn, sql string, args []any) string {
	for i, arg := range args {
		if named, ok := arg.(pgx.QueryRewriter); ok {
			if numbered, _, err := named.RewriteQuery(ctx, conn, sql, args[i+1:]); err == nil {
				return numbered
			}
		}
	}
	return sql
}

// TraceQueryStart implements pgx.QueryTracer.
func (r *recorder) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	r.record(ctx, conn, data.SQL, data.Args)
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (*recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer.
func (r *recorder) TraceBatchStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	for _, queued := range data.Batch.QueuedQueries {
		r.record(ctx, conn, queued.SQL, queued.Arguments)
	}
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (*recorder) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (*recorder) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// TraceCopyFromStart implements pgx.CopyFromTracer. TABLE is a query that names the same table as the COPY.
func (r *recorder) TraceCopyFromStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceCopyFromStartData) context.Context {
	r.record(ctx, conn, "TABLE "+data.TableName.Sanitize(), nil)
	return ctx
}

// TraceCopyFromEnd implements pgx.CopyFromTracer.
func (*recorder) TraceCopyFromEnd(context.Context, *pgx.Conn, pgx.TraceCopyFromEndData) {}

// module is the prefix of the functions of this module.
const module = "heartward/"

// runsSQLOfCallers are functions that run the SQL which they are given. The sender is their caller.
var runsSQLOfCallers = []string{
	module + "api/platform/archive.(*Writer)",
	module + "api/platform/pg.QueryGeneric",
	module + "api/platform/pgtest.(*recorder)",
}

// testPackages send only what tests need.
var testPackages = []string{"api/seed", "api/platform/testkit", "api/platform/pgtest"}

// frame says what a function on the stack tells about the sender.
type frame struct {
	decides bool   // the sender is pkg; otherwise it is further up the stack
	pkg     string // empty for a test
}

// frames has the frames by their program counters, because looking up a function's name takes longer than all else here.
var frames = struct {
	sync.RWMutex
	byPC map[uintptr]frame
}{byPC: map[uintptr]frame{}}

// sendingPackage returns the package of the innermost function of this module that runs its own SQL. It returns an empty
// string if this is a test or there is none, as in the goroutines of River.
func sendingPackage() string {
	var stack [64]uintptr
	for _, pc := range stack[:runtime.Callers(2, stack[:])] {
		if f := frameAt(pc); f.decides {
			return f.pkg
		}
	}
	return ""
}

func frameAt(pc uintptr) frame {
	frames.RLock()
	f, isKnown := frames.byPC[pc]
	frames.RUnlock()
	if isKnown {
		return f
	}
	called, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	f = frameOf(called.Function, called.File)
	frames.Lock()
	defer frames.Unlock()
	frames.byPC[pc] = f
	return f
}

func frameOf(function, file string) frame {
	name, isOurs := strings.CutPrefix(function, module)
	if !isOurs {
		return frame{}
	}
	for _, prefix := range runsSQLOfCallers {
		if strings.HasPrefix(function, prefix) {
			return frame{}
		}
	}
	slash := strings.LastIndex(name, "/") + 1
	inner, _, _ := strings.Cut(name[slash:], ".")
	pkg := name[:slash] + inner
	isTest := strings.HasSuffix(file, "_test.go") || strings.HasSuffix(pkg, "test")
	for _, other := range testPackages {
		isTest = isTest || pkg == other
	}
	if isTest {
		pkg = ""
	}
	return frame{decides: true, pkg: pkg}
}
