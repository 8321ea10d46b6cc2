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

var (
	errExists      = fault.Declare("exists_already", fault.Conflict, "That exists already.")
	errNotAllowed  = fault.Declare("value_not_allowed", fault.Invalid, "That value is not allowed.")
	errUnreachable = fault.Declare("data_unreachable", fault.Unavailable, "We can't reach our data right now. Please try again in a moment.")
)

// Fault maps an error of PostgreSQL, or of the connection to it, to a fault kind. A
// violated constraint is the caller's error, because constraints are rules of the
// product. A transient error or a lost connection is Unavailable. Fault returns any
// other error unchanged.
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
	if isUnavailable(err) {
		return unavailable(err)
	}
	return err
}

func fromSQLState(e *pgconn.PgError, err error) error {
	switch {
	case e.Code == "23505":
		return errExists.Wrap(err)
	case e.Code == "23503":
		return fault.Wrap(fault.NotFound, "We could not find that.", err)
	case e.Code == "23514", e.Code == "23502", strings.HasPrefix(e.Code, "22"):
		return errNotAllowed.ForField(e.ColumnName).Wrap(err)
	case slices.ContainsFunc(transientCodes, func(code string) bool { return strings.HasPrefix(e.Code, code) }):
		return unavailable(err)
	}
	return err
}

// transientCodes are SQLSTATEs, and prefixes of them, after which a retry may succeed:
// connection exceptions (08), transactions that conflicted in each of their tries (40),
// insufficient resources (53), operator interventions such as a shutdown or a statement
// timeout (57), system errors (58), the idle-in-transaction timeout (25P03), and a
// standby (25006).
var transientCodes = []string{"08", "40", "53", "57", "58", "25P03", "25006"}

// isUnavailable reports whether the database could not be reached or the
// connection was lost.
func isUnavailable(err error) bool {
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) ||
		errors.Is(err, context.DeadlineExceeded) || pgconn.SafeToRetry(err) ||
		errors.Is(err, net.ErrClosed) || strings.Contains(err.Error(), "conn closed") ||
		strings.Contains(err.Error(), "unexpected EOF")
}

func unavailable(err error) error {
	return errUnreachable.Wrap(err)
}

// ViolatesConstraint reports whether err is a violation of the named constraint.
func ViolatesConstraint(err error, constraint string) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.ConstraintName == constraint
}
