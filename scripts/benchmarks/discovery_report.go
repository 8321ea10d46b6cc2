package main

import (
	"fmt"
	"io"
	"time"
)

// report prints the runs and their ratios as tables.
func report(out io.Writer, runs []searchRun) {
	fmt.Fprintf(out, "\nDiscovery: the first 50 of a search, each for another of %d members. Default filters are 18 to 65, 50 miles, active within a\n"+
		"week; the worst mix sets filters loosely and no distance, the last one every filter that can be loose. All engines gave the same scores.\n\n", viewerCount)
	fmt.Fprintln(out, "| members | filters | engine | p50 | p99 | searches/s | with 8 clients | index faster (p50) | index searches/s, 8 clients |")
	fmt.Fprintln(out, "|---:|---|---|---:|---:|---:|---:|---:|---:|")
	for _, run := range runs {
		for _, mix := range mixes {
			own := run.timings[ours][mix.name]
			for _, name := range []string{ours, withGiST, bruteForce} {
				t, measured := run.timings[name][mix.name]
				if !measured {
					continue
				}
				fmt.Fprintf(out, "| %d | %s | %s | %s | %s | %.1f | %.1f |", run.members, mix.name, name, ms(t.p50), ms(t.p99), t.oneClientRate, t.eightClientsRate)
				if name == ours {
					fmt.Fprintln(out, " | |")
					continue
				}
				fmt.Fprintf(out, " %.1f× | %.1f× |\n", ratio(t.p50, own.p50), own.eightClientsRate/t.eightClientsRate)
			}
		}
	}
	fmt.Fprintln(out, "\n| members | seeded in | GiST index made in | cold node loads in | index in memory | a member | an edit appears on another node after | suggestions made in |")
	fmt.Fprintln(out, "|---:|---:|---:|---:|---:|---:|---:|---:|")
	for _, run := range runs {
		fmt.Fprintf(out, "| %d | %.1f s | %.1f s | %.2f s | %.1f MB | %d bytes | %s | %s |\n", run.members, run.seeding.Seconds(), run.gist.Seconds(),
			run.load.Seconds(), float64(run.bytes)/1e6, run.bytes/int64(run.members), ms(run.editVisible), ms(run.preview))
	}
	fmt.Fprintln(out)
	for _, run := range runs {
		if run.members >= 10_000 {
			printGoals(out, run, runs[len(runs)-1])
			return
		}
	}
}

// printGoals compares the largest run with the targets.
func printGoals(out io.Writer, small, large searchRun) {
	goal := func(text string, reached, wanted float64, atMost bool) {
		verdict := "reached"
		isBelow := reached < wanted
		if isBelow != atMost {
			verdict = "MISSED"
		}
		fmt.Fprintf(out, "%s: %.1f× (goal %.0f×, %s)\n", text, reached, wanted, verdict)
	}
	own := large.timings[ours]
	if gist, ok := large.timings[withGiST]; ok {
		goal("Default filters, faster than GiST", ratio(gist["default"].p50, own["default"].p50), 5, false)
		goal("Default filters, searches a second of GiST's with 8 clients", own["default"].eightClientsRate/gist["default"].eightClientsRate, 10, false)
		goal("Worst mix, faster than GiST", ratio(gist["worst"].p50, own["worst"].p50), 20, false)
	}
	for _, mix := range mixes {
		text := fmt.Sprintf("%d members against %d, %s", large.members, small.members, mix.name)
		goal(text, ratio(own[mix.name].p50, small.timings[ours][mix.name].p50), 3, true)
	}
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", millis(d)) }

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
