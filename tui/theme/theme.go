// Package theme holds the looks of the interface. Nothing depends on a colour alone:
// every state has a sign too, so that all of it reads in monochrome.
package theme

import "github.com/charmbracelet/lipgloss"

// Theme is one look: a style for each part that text can play. A theme is not changed
// after it is made.
type Theme struct {
	// Name is what settings and the command call it.
	Name string

	Text    lipgloss.Style // what is read: replies, prompts
	Muted   lipgloss.Style // what stands beside it: durations, notes, thinking
	Strong  lipgloss.Style // what matters in a line: a tool's name, a card's verb
	Accent  lipgloss.Style // what is active: the spinner, the focus
	Heading lipgloss.Style // headings of Markdown and of screens
	Link    lipgloss.Style // addresses
	Quote   lipgloss.Style // quotations
	Emph    lipgloss.Style // emphasis
	Strike  lipgloss.Style // what is struck out

	Good lipgloss.Style // done, allowed
	Warn lipgloss.Style // waits, asks, may have partially run
	Bad  lipgloss.Style // refused, failed

	User     lipgloss.Style // a person's own words
	Selected lipgloss.Style // the chosen row
	Match    lipgloss.Style // what a search found
	Border   lipgloss.Style // lines around and between

	Code    lipgloss.Style // code without a part of its own
	Keyword lipgloss.Style // words of the language
	String  lipgloss.Style // texts in code
	Number  lipgloss.Style // numbers in code
	Comment lipgloss.Style // comments in code

	Added       lipgloss.Style // a line that a change adds
	Removed     lipgloss.Style // a line that it removes
	AddedWord   lipgloss.Style // what is new within a line
	RemovedWord lipgloss.Style // what was there within a line
	Hunk        lipgloss.Style // where in the file a change stands
}

// Default is the theme without a setting.
const Default = "dark"

// Names lists the themes as settings call them.
func Names() []string { return []string{"dark", "light", "high-contrast", "mono"} }

// Named is the theme of a name; false for a name that none has, and then the default.
func Named(name string) (*Theme, bool) {
	switch name {
	case "dark":
		return dark.theme(name), true
	case "light":
		return light.theme(name), true
	case "high-contrast":
		return contrast.theme(name), true
	case "mono":
		return mono(), true
	}
	return dark.theme(Default), false
}

// palette is the colours of a theme, each as 24 bits, one of 256 and one of 16. The one
// of 16 is what a person's own terminal makes of it.
type palette struct {
	text, muted, accent, good, warn, bad, user, code, keyword, str, number, border, link hue
	// chosen is the ground of the chosen row, plus and minus those of changed words.
	chosen, plus, minus, match, onMatch hue
}

type hue = lipgloss.CompleteColor

func of(full, mid, few string) hue { return hue{TrueColor: full, ANSI256: mid, ANSI: few} }

var dark = palette{
	text: of("", "", ""), muted: of("#8a8f98", "245", "8"), accent: of("#7aa2f7", "111", "12"),
	good: of("#7fc77f", "114", "10"), warn: of("#e0af68", "179", "11"), bad: of("#f7768e", "204", "9"),
	user: of("#7dcfff", "117", "14"), code: of("#c0caf5", "189", "7"), keyword: of("#bb9af7", "141", "13"),
	str: of("#9ece6a", "149", "10"), number: of("#ff9e64", "215", "11"), border: of("#4a5060", "239", "8"), link: of("#7aa2f7", "111", "12"),
	chosen: of("#2e3450", "237", "8"), plus: of("#1f4a2a", "22", "2"), minus: of("#5a2230", "52", "1"),
	match: of("#e0af68", "179", "11"), onMatch: of("#16161e", "233", "0"),
}

var light = palette{
	text: of("", "", ""), muted: of("#6b7078", "242", "8"), accent: of("#2457c5", "25", "4"),
	good: of("#1f7a34", "28", "2"), warn: of("#8f5902", "94", "3"), bad: of("#c0263c", "160", "1"),
	user: of("#00698f", "24", "6"), code: of("#3a3f4b", "237", "0"), keyword: of("#7928a1", "90", "5"),
	str: of("#2f7d1b", "28", "2"), number: of("#a8480a", "130", "3"), border: of("#b6bac2", "250", "7"), link: of("#2457c5", "25", "4"),
	chosen: of("#d8e0f5", "189", "7"), plus: of("#c9efcf", "194", "10"), minus: of("#f9d0d6", "224", "9"),
	match: of("#ffd75e", "221", "11"), onMatch: of("#000000", "16", "0"),
}

var contrast = palette{
	text: of("#ffffff", "231", "15"), muted: of("#d0d0d0", "252", "7"), accent: of("#00ffff", "51", "14"),
	good: of("#00ff00", "46", "10"), warn: of("#ffff00", "226", "11"), bad: of("#ff5f5f", "203", "9"),
	user: of("#00ffff", "51", "14"), code: of("#ffffff", "231", "15"), keyword: of("#ff87ff", "213", "13"),
	str: of("#87ff87", "120", "10"), number: of("#ffff00", "226", "11"), border: of("#ffffff", "231", "15"), link: of("#5fd7ff", "81", "14"),
	chosen: of("#0000d7", "20", "4"), plus: of("#005f00", "22", "2"), minus: of("#870000", "88", "1"),
	match: of("#ffff00", "226", "11"), onMatch: of("#000000", "16", "0"),
}

func (p palette) theme(name string) *Theme {
	fg := func(h hue) lipgloss.Style { return lipgloss.NewStyle().Foreground(h) }
	plain := fg(p.text)
	if p.text.ANSI == "" {
		plain = lipgloss.NewStyle() // the terminal's own
	}
	return &Theme{
		Name: name,
		Text: plain, Muted: fg(p.muted), Strong: plain.Bold(true), Accent: fg(p.accent), Heading: fg(p.accent).Bold(true),
		Link: fg(p.link).Underline(true), Quote: fg(p.muted).Italic(true), Emph: plain.Italic(true), Strike: fg(p.muted).Strikethrough(true),
		Good: fg(p.good), Warn: fg(p.warn), Bad: fg(p.bad).Bold(true),
		User: fg(p.user), Selected: plain.Background(p.chosen), Match: fg(p.onMatch).Background(p.match), Border: fg(p.border),
		Code: fg(p.code), Keyword: fg(p.keyword), String: fg(p.str), Number: fg(p.number), Comment: fg(p.muted).Italic(true),
		Added: fg(p.good), Removed: fg(p.bad), Hunk: fg(p.accent),
		AddedWord: fg(p.good).Background(p.plus), RemovedWord: fg(p.bad).Background(p.minus),
	}
}

// mono has weight, slant and reverse, and no colour.
func mono() *Theme {
	plain := lipgloss.NewStyle()
	bold, faint, line := plain.Bold(true), plain.Faint(true), plain.Underline(true)
	return &Theme{
		Name: "mono",
		Text: plain, Muted: faint, Strong: bold, Accent: bold, Heading: bold.Underline(true),
		Link: line, Quote: plain.Italic(true), Emph: plain.Italic(true), Strike: plain.Strikethrough(true),
		Good: plain, Warn: bold, Bad: bold,
		User: bold, Selected: plain.Reverse(true), Match: plain.Reverse(true), Border: faint,
		Code: plain, Keyword: bold, String: plain, Number: plain, Comment: faint,
		Added: plain, Removed: faint, AddedWord: bold.Underline(true), RemovedWord: line, Hunk: faint,
	}
}
