package pg

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// EachRow calls visit for each row without collecting them, with a row that the next call overwrites. Like
// pgx.RowToStructByName it finds the fields by the names of the columns, but once for a statement, not for each row. That costs a
// third for the rows of a million members. Use it where that counts: many rows, or a statement for each message.
func EachRow[T any](rows pgx.Rows, visit func(row *T)) error {
	defer rows.Close()
	var row, empty T
	var targets []any
	for rows.Next() {
		if targets == nil {
			var err error
			if targets, err = targetsByName(&row, rows.FieldDescriptions()); err != nil {
				return err
			}
		}
		if err := rows.Scan(targets...); err != nil {
			return Fault(err)
		}
		visit(&row)
		row = empty // so that the next row does not share slices
	}
	return Fault(rows.Err())
}

// fieldsOfColumns are the fields of a type for the columns of the statement that last filled it.
type fieldsOfColumns struct {
	columns []string
	paths   [][]int // of a field, as for reflect.Value.FieldByIndex
}

// lastFields has a fieldsOfColumns for each type. Almost every type is filled by one statement, or by several with the same columns.
var lastFields sync.Map

// targetsByName returns the addresses of row's fields in the order of the columns.
func targetsByName[T any](row *T, columns []pgconn.FieldDescription) ([]any, error) {
	of := reflect.TypeFor[T]()
	found, _ := lastFields.Load(of)
	fields, ok := found.(*fieldsOfColumns)
	if !ok || !slices.EqualFunc(fields.columns, columns, func(name string, c pgconn.FieldDescription) bool { return name == c.Name }) {
		var err error
		if fields, err = findFields(of, columns); err != nil {
			return nil, err
		}
		lastFields.Store(of, fields)
	}
	value := reflect.ValueOf(row).Elem()
	targets := make([]any, len(columns))
	for i, path := range fields.paths {
		targets[i] = value.FieldByIndex(path).Addr().Interface()
	}
	return targets, nil
}

// findFields returns the fields of a type for these columns. As for pgx.RowToStructByName, each field needs a column with its
// name in snake_case, and each column a field; fields with db:"-" are ignored.
func findFields(of reflect.Type, columns []pgconn.FieldDescription) (*fieldsOfColumns, error) {
	paths := map[string][]int{}
	for _, field := range reflect.VisibleFields(of) {
		if !field.Anonymous && field.Tag.Get("db") != "-" {
			paths[strings.ToLower(field.Name)] = field.Index
		}
	}
	if len(paths) != len(columns) {
		return nil, fmt.Errorf("pg: %d columns for the %d fields of %v", len(columns), len(paths), of)
	}
	fields := &fieldsOfColumns{}
	for _, column := range columns {
		path, exists := paths[strings.ReplaceAll(column.Name, "_", "")]
		if !exists {
			return nil, fmt.Errorf("pg: no field of %v for the column %s", of, column.Name)
		}
		fields.columns, fields.paths = append(fields.columns, column.Name), append(fields.paths, path)
	}
	return fields, nil
}
