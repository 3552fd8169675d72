package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tenet/adapters/settings"
	"tenet/core/call"
	"tenet/core/rules"
	core "tenet/core/settings"
)

// ConfigCommand is 'tenet config': the settings that are no rules.
func ConfigCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "config",
		Short: "Show and change the settings: the default model, retries, limits",
		Long: `The settings stand in settings.json, yours in ~/.tenet and the project's in .tenet.
A change keeps the comments and the order of the file, and is refused when the
setting does not take the value. Rules are changed by 'tenet rules', trust by
'tenet trust'. docs/settings.md lists every setting.`,
		Args: onlySubcommands,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(configListCommand(), configGetCommand(), configSetCommand(), configUnsetCommand(), configPathCommand())
	return c
}

// configOptions is what 'tenet config' was asked for.
type configOptions struct {
	dir      string
	json     bool
	project  bool
	out, err io.Writer
}

func (o *configOptions) flags(c *cobra.Command) {
	c.Flags().StringVar(&o.dir, "dir", ".", "the workspace")
}

func (o *configOptions) projectFlag(c *cobra.Command) {
	c.Flags().BoolVar(&o.project, "project", false, "in the settings of this project, not in yours")
}

func (o *configOptions) on(c *cobra.Command) { o.out, o.err = c.OutOrStdout(), c.ErrOrStderr() }

func configListCommand() *cobra.Command {
	var o configOptions
	c := &cobra.Command{
		Use: "list", Short: "Print every setting with its value and where it comes from",
		Args: takes(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error { o.on(c); return o.list() },
	}
	o.flags(c)
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON array of objects")
	return c
}

func configGetCommand() *cobra.Command {
	var o configOptions
	c := &cobra.Command{
		Use: "get KEY", Short: "Print the value of one setting as JSON",
		Example:           "  tenet config get model\n  tenet config get retry.maxRetries",
		Args:              takes(1, "the name of a setting"),
		ValidArgsFunction: completeKeys,
		RunE:              func(c *cobra.Command, args []string) error { o.on(c); return o.get(args[0]) },
	}
	o.flags(c)
	return c
}

func configSetCommand() *cobra.Command {
	var o configOptions
	c := &cobra.Command{
		Use: "set [--project] KEY VALUE...", Short: "Give a setting a value",
		Long: `Give a setting a value. A list takes each further word as one element, or one JSON
list. Without --project it is your own setting, for every project.`,
		Example: `  tenet config set model ollama/qwen3:8b
  tenet config set retry.maxRetries 5
  tenet config set allowedModels 'anthropic/*' ollama/qwen3:8b
  tenet config set --project maxToolRounds 80`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 2 {
				return Usage("%s takes the name of a setting and its value, got %d arguments; see '%s --help'", c.CommandPath(), len(args), c.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: completeValues,
		RunE:              func(c *cobra.Command, args []string) error { o.on(c); return o.set(c, args[0], args[1:]) },
	}
	o.flags(c)
	o.projectFlag(c)
	return c
}

func configUnsetCommand() *cobra.Command {
	var o configOptions
	c := &cobra.Command{
		Use: "unset [--project] KEY", Short: "Take a setting out, so that its default holds",
		Args:              takes(1, "the name of a setting"),
		ValidArgsFunction: completeKeys,
		RunE:              func(c *cobra.Command, args []string) error { o.on(c); return o.unset(c, args[0]) },
	}
	o.flags(c)
	o.projectFlag(c)
	return c
}

func configPathCommand() *cobra.Command {
	var o configOptions
	c := &cobra.Command{
		Use: "path", Short: "Print the files that settings are read from",
		Args: takes(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error { o.on(c); return o.path() },
	}
	o.flags(c)
	return c
}

// completeKeys offers the names of settings.
func completeKeys(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return keyNames(), cobra.ShellCompDirectiveNoFileComp
}

// completeValues offers names, then what the setting takes.
func completeValues(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return completeKeys(c, args, word)
	}
	k, _ := core.Find(args[0])
	switch {
	case k.Words != nil:
		return k.Words, cobra.ShellCompDirectiveNoFileComp
	case k.Kind == core.Bool:
		return []string{"true", "false"}, cobra.ShellCompDirectiveNoFileComp
	case k.Name == "model" || k.Name == "auxiliaryModel" || k.Name == "allowedModels":
		return CompleteModels(c, args, word)
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

func keyNames() []string {
	var out []string
	for _, k := range core.Keys() {
		out = append(out, k.Name)
	}
	return out
}

// found is the setting of a name, or the error that names what is near.
func found(name string) (core.Key, error) {
	k, ok := core.Find(name)
	if ok {
		return k, nil
	}
	if core.Group(name) {
		var inner []string
		for _, n := range keyNames() {
			if strings.HasPrefix(n, name+".") {
				inner = append(inner, n)
			}
		}
		return k, Usage("%s holds several settings; name one of them: %s", name, strings.Join(inner, ", "))
	}
	shown := call.OneLine(name, 100)
	if near := core.Near(name, keyNames()); near != nil {
		return k, Usage("there is no setting %q; did you mean %s?", shown, strings.Join(near, " or "))
	}
	return k, Usage("there is no setting %q; 'tenet config list' shows them", shown)
}

// standing are the settings as they stand, with the text of what no run has.
type standing struct {
	*settings.Settings
	user core.Node
}

func (o *configOptions) load() (standing, error) {
	opts, err := placed(o.dir)
	if err != nil {
		return standing{}, err
	}
	s, err := settings.Load(opts)
	if err != nil {
		return standing{}, Usage("%w", err)
	}
	for _, w := range s.Warnings {
		fmt.Fprintln(o.err, "warning:", call.OneLine(w, 1000))
	}
	user, _, _ := settings.Tree(s.UserFile) // it was read a moment ago
	return standing{s, user}, nil
}

// value is a setting's value as JSON and the file that it comes from; both are empty
// for a default that is no value.
func (s standing) value(k core.Key) (value, from string) {
	if from = s.Sources[k.Name]; from != "" || k.Value(s.Run) != "" {
		return k.Value(s.Run), from
	}
	if n, ok := s.user.Path(k.Name); ok && k.Value(core.DefaultRun()) == "" && k.Scope != core.WithTrust {
		return n.JSON(), s.UserFile
	}
	return "", ""
}

// listedKey is a setting as 'tenet config list --json' prints it.
type listedKey struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
	From  string          `json:"from"`
	Says  string          `json:"says"`
}

func (o *configOptions) list() error {
	s, err := o.load()
	if err != nil {
		return err
	}
	var out []listedKey
	for _, k := range core.Keys() {
		value, from := s.value(k)
		if from == "" {
			from = "default"
		}
		if value == "" {
			value = "null"
		}
		out = append(out, listedKey{k.Name, json.RawMessage(value), from, k.Says})
	}
	if o.json {
		return writeJSON(o.out, out)
	}
	w := tabwriter.NewWriter(o.out, 0, 0, 2, ' ', 0)
	for _, k := range out {
		value := call.OneLine(string(k.Value), 60)
		if value == "null" {
			value = "-"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", k.Key, value, k.From)
	}
	return w.Flush()
}

func (o *configOptions) get(name string) error {
	k, err := found(name)
	if err != nil {
		return err
	}
	s, err := o.load()
	if err != nil {
		return err
	}
	value, _ := s.value(k)
	if value == "" {
		value = "null"
	}
	_, err = fmt.Fprintln(o.out, value)
	return err
}

func (o *configOptions) editor() (settings.Editor, rules.Source, error) {
	opts, err := placed(o.dir)
	if o.project {
		return settings.Editor{Options: opts}, rules.FromProject, err
	}
	return settings.Editor{Options: opts}, rules.FromUser, err
}

func (o *configOptions) set(c *cobra.Command, name string, words []string) error {
	k, err := o.settable(name)
	if err != nil {
		return err
	}
	value, err := typedValue(k, words)
	if err != nil {
		return err
	}
	e, scope, err := o.editor()
	if err != nil {
		return err
	}
	file, err := e.Set(c.Context(), scope, k, value)
	if err != nil {
		return Usage("%w", err)
	}
	fmt.Fprintf(o.out, "%s is %s now, in %s\n", k.Name, call.OneLine(value, 200), file)
	if k.Name == "model" || k.Name == "auxiliaryModel" {
		o.remark(words[0])
	}
	return nil
}

// settable is a setting that a plain value changes.
func (o *configOptions) settable(name string) (core.Key, error) {
	k, err := found(name)
	if err == nil && k.Edit != "" {
		return k, Usage("%s is changed by '%s', not by a value", k.Name, k.Edit)
	}
	return k, err
}

// remark says when a model that was just set is none that can be used as things are.
func (o *configOptions) remark(selector string) {
	picked, err := pick(o.dir, selector)
	switch {
	case err != nil:
		fmt.Fprintln(o.err, "note:", err)
	case !picked.Info.Listed && picked.Info.Near != nil:
		fmt.Fprintf(o.err, "note: %s\n", unlisted(picked.Info))
	case picked.Info.Key.Needed && !picked.Info.Key.Found:
		fmt.Fprintf(o.err, "note: no key was found for it; export %s=...\n", picked.Info.Key.Var)
	}
}

// typedValue is what stands on the command line as JSON of the setting's kind.
func typedValue(k core.Key, words []string) (string, error) {
	if k.Kind == core.List {
		return listValue(words), nil
	}
	if len(words) != 1 {
		return "", Usage("%s takes one value, got %d; quote it", k.Name, len(words))
	}
	switch k.Kind {
	case core.Number:
		if n, err := settings.Parse([]byte(words[0])); err != nil || n.Kind != core.Number {
			return "", Usage("%s takes a number from %s, got %q", k.Name, k.Range(), call.OneLine(words[0], 100))
		}
		return words[0], nil
	case core.Bool:
		if !slices.Contains([]string{"true", "false"}, words[0]) {
			return "", Usage("%s takes true or false, got %q", k.Name, call.OneLine(words[0], 100))
		}
		return words[0], nil
	case core.String, core.List, core.Object, core.Null:
	}
	return core.Node{Kind: core.String, Text: words[0]}.JSON(), nil
}

// listValue is one JSON list, or each word an element.
func listValue(words []string) string {
	if len(words) == 1 && strings.HasPrefix(strings.TrimSpace(words[0]), "[") {
		return words[0]
	}
	list := core.Node{Kind: core.List}
	for _, w := range words {
		list.Elements = append(list.Elements, core.Node{Kind: core.String, Text: w})
	}
	return list.JSON()
}

func (o *configOptions) unset(c *cobra.Command, name string) error {
	k, err := o.settable(name)
	if err != nil {
		return err
	}
	e, scope, err := o.editor()
	if err != nil {
		return err
	}
	file, was, err := e.Unset(c.Context(), scope, k)
	switch {
	case err != nil:
		return Usage("%w", err)
	case !was:
		fmt.Fprintf(o.out, "%s was not set in %s\n", k.Name, file)
	default:
		fmt.Fprintf(o.out, "%s is out of %s\n", k.Name, file)
	}
	return nil
}

func (o *configOptions) path() error {
	s, err := o.load()
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		is   settings.State
	}{{s.UserFile, s.UserState}, {s.ProjectFile, s.ProjectState}} {
		fmt.Fprintf(o.out, "%s\t%s\n", f.name, [...]string{"not there", "read", "cannot be read"}[f.is])
	}
	return nil
}
