package pg

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"heartward/api/platform/fault"
)

// Fault turns an error of PostgreSQL or of the way to it into a fault kind.
// Constraints are the rules of the product, so a broken one is the caller's
// error; a database that is away is Unavailable; all else stays as it is.
func Fault(err error) error {
	if err == nil {
		return nil
	}
	var known *fault.Error
	if errors.As(err, &known) {
		return err
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.Wrap(fault.NotFound, "We could not find that.", err)
	}
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return fromSQLState(e, err)
	}
	if away(err) {
		return unavailable(err)
	}
	return err
}

func fromSQLState(e *pgconn.PgError, err error) error {
	switch {
	case e.Code == "23505":
		return fault.Wrap(fault.Conflict, "That exists already.", err)
	case e.Code == "23503":
		return fault.Wrap(fault.NotFound, "We could not find that.", err)
	case e.Code == "23514", e.Code == "23502", strings.HasPrefix(e.Code, "22"):
		f := fault.Wrap(fault.Invalid, "That value is not allowed.", err)
		f.Field = e.ColumnName
		return f
	case slices.ContainsFunc(passing, func(code string) bool { return strings.HasPrefix(e.Code, code) }):
		return unavailable(err)
	}
	return err
}

// passing are SQLSTATEs, and classes of them, of which the same call may know
// nothing a moment later: the way was lost (08), rolled back for others' sake
// after all tries (40), no room (53), ended from outside (57), trouble of the
// machine (58), idle too long in a transaction, or a standby that took over.
var passing = []string{"08", "40", "53", "57", "58", "25P03", "25006"}

// away reports whether the database could not be reached or was lost midway.
func away(err error) bool {
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) ||
		errors.Is(err, context.DeadlineExceeded) || pgconn.SafeToRetry(err) ||
		errors.Is(err, net.ErrClosed) || strings.Contains(err.Error(), "conn closed") ||
		strings.Contains(err.Error(), "unexpected EOF")
}

func unavailable(err error) error {
	return fault.Wrap(fault.Unavailable, "We can't reach our data right now. Please try again in a moment.", err)
}

// Broke reports whether err is the breaking of the named constraint.
func Broke(err error, constraint string) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.ConstraintName == constraint
}
