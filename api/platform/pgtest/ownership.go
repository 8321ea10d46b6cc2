package pgtest

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

//go:embed table_owners.tsv
var tableOwners string

// owners has the package that owns each table. scripts/generate writes the file from Data.Tables of the features, which
// the platform cannot import.
var owners = sync.OnceValue(func() map[string]string {
	byTable := map[string]string{}
	for line := range strings.Lines(tableOwners) {
		table, owner, _ := strings.Cut(strings.TrimSpace(line), "\t")
		byTable[table] = owner
	}
	return byTable
})

// ForeignTables are the tables that a package names although another one owns them, with the reason.
var ForeignTables = map[string]string{
	"api/dates conversations": "a page of dates joins the conversations of both sides in one scan, and conversation_sides has a row for each side",
}

// cleanUp is the package that deletes due rows of any feature, of one table at a time.
const cleanUp = "api/platform/feature"

// sessionCommand finds the commands that name no table. PostgreSQL accepts them in no function.
var sessionCommand = regexp.MustCompile(`(?i)^\s*(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|RESET|SHOW|LISTEN|UNLISTEN|NOTIFY)\b`)

// check fails the test if a package sent a statement that names a table of another feature. A feature is a package and
// those below it. It may name the views and
// functions of others, whose own tables TestSchema_NamesTablesOfOneOwner checks.
func (r *recorder) check(t testing.TB) {
	r.mu.Lock()
	statements := r.unchecked
	r.unchecked = nil
	r.mu.Unlock()
	statements = slices.DeleteFunc(statements, func(s sent) bool { return sessionCommand.MatchString(s.sql) })
	if len(statements) == 0 {
		return
	}
	parser, err := openParser()
	if err != nil {
		t.Fatalf("no database for the statements of the tests: %v", err)
	}
	for _, s := range statements {
		tables, err := parser.tablesIn(context.Background(), s.sql)
		if err != nil {
			t.Errorf("the tables in a statement of %s are unknown: %v\n%s", s.pkg, err, s.sql)
		}
		for _, problem := range foreignIn(s.pkg, tables) {
			t.Errorf("%s\n%s", problem, s.sql)
		}
	}
}

// foreignIn returns a sentence for each table that the package must not name.
func foreignIn(pkg string, tables []string) (problems []string) {
	expected := pkg
	for _, table := range tables {
		owner := owners()[table]
		if owner == "" || ForeignTables[pkg+" "+table] != "" {
			continue
		}
		if expected == cleanUp {
			expected = owner
		}
		if owner != expected && !strings.HasPrefix(expected, owner+"/") {
			problems = append(problems, fmt.Sprintf("%s names %s, a table of %s: read a view or call a function of the owner", pkg, table, owner))
		}
	}
	return problems
}

// parser finds the tables that a statement names, by asking PostgreSQL.
type parser struct {
	mu   sync.Mutex
	conn *pgx.Conn
}

// openParser returns the parser of the process. It has a database of its own, because a test may change its schema or
// refuse connections.
var openParser = sync.OnceValues(func() (*parser, error) {
	ctx := context.Background()
	from, err := template()
	if err != nil {
		return nil, err
	}
	name := "statements_" + strings.TrimPrefix(from, "template_")
	err = createOnce(ctx, name, false, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, fmt.Sprintf(`CREATE DATABASE %s TEMPLATE %s OWNER %s STRATEGY file_copy`, name, from, owner))
		return err
	})
	if err != nil {
		return nil, err
	}
	address, err := addressOf(name)
	if err != nil {
		return nil, err
	}
	conn, err := pgx.Connect(ctx, address)
	return &parser{conn: conn}, err
})

// undefined are the codes of errors at a name that the schema does not have: a test may create its own tables, columns,
// functions and types.
var undefined = []string{"42P01", "42703", "42883", "42704"}

// tablesIn returns the tables that a statement names, sorted: not those that its views and functions name. It makes the
// statement the body of a function, of which PostgreSQL stores what it depends on, and rolls this back.
func (p *parser) tablesIn(ctx context.Context, sql string) ([]string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	tables, err := p.dependencies(ctx, sql)
	if failure, ok := errors.AsType[*pgconn.PgError](err); ok && slices.Contains(undefined, failure.Code) {
		return nil, nil
	}
	return tables, err
}

func (p *parser) dependencies(ctx context.Context, sql string) ([]string, error) {
	parameters, err := p.parameterTypes(ctx, sql)
	if err != nil {
		return nil, err
	}
	tx, err := p.conn.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	_, err = tx.Exec(ctx, `CREATE FUNCTION pg_temp.statement(`+parameters+`) RETURNS void LANGUAGE sql BEGIN ATOMIC `+sql+"\n; END")
	if err != nil {
		return nil, err
	}
	rows, _ := tx.Query(ctx, `
		SELECT DISTINCT c.relname
		FROM pg_depend d
		JOIN pg_class c ON c.oid = d.refobjid
		WHERE d.classid = 'pg_proc'::regclass
			AND d.objid = 'pg_temp.statement'::regproc
			AND d.refclassid = 'pg_class'::regclass
			AND c.relkind IN ('r', 'p')
		ORDER BY c.relname`)
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// parameterTypes returns the types of $1, $2 and so on, as a list for CREATE FUNCTION.
func (p *parser) parameterTypes(ctx context.Context, sql string) (types string, err error) {
	if !strings.Contains(sql, "$") {
		return "", nil
	}
	prepared, err := p.conn.Prepare(ctx, "", sql)
	if err != nil {
		return "", err
	}
	err = p.conn.QueryRow(ctx, `
		SELECT coalesce(string_agg(format_type(p.type, NULL), ', ' ORDER BY p.position), '')
		FROM unnest($1::oid[]) WITH ORDINALITY AS p(type, position)`, prepared.ParamOIDs).Scan(&types)
	return types, err
}
