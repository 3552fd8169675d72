package provider

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// Switches are what OpenAI-compatible servers differ in. Each is data of a server or a
// model (models.json); DefaultSwitches is what most of them take.
//
// The tag words lists the only values of a text, says is the sentence that people read.
type Switches struct {
	// Store sends "store": false, so that OpenAI keeps nothing of the reply.
	Store bool `json:"store" says:"send store: false"`
	// DeveloperRole sends the system prompt with the role developer.
	DeveloperRole bool `json:"developerRole" says:"the system prompt has the role developer"`
	// EffortField is where the wanted effort of thinking stands; empty leaves it out.
	EffortField string `json:"effortField" words:",reasoning_effort,reasoning" says:"where the effort of thinking stands"`
	// Efforts maps levels of the setting thinking to the server's own words; a level that
	// is not in it is its own word, and off leaves the field out.
	Efforts map[string]string `json:"efforts" says:"the server's words for levels of thinking"`
	// ThinkingFormat is how thinking is switched on and off.
	ThinkingFormat string `json:"thinkingFormat" words:"openai,zai,qwen,template" says:"how thinking is switched on and off"`
	// ThinkingHistory is what of earlier thinking goes back: nothing, in a field of the
	// message, as text before the answer, or as the router's opaque blocks.
	ThinkingHistory string `json:"thinkingHistory" words:"drop,reasoning_content,reasoning,text,details" says:"what of earlier thinking goes back to the server"`
	// ThinkingSince is how far back: the messages since the user's last one, or all.
	ThinkingSince string `json:"thinkingSince" words:"turn,always" says:"which messages keep their thinking"`
	// UsageInStream asks for token counts at the end of a stream.
	UsageInStream bool `json:"usageInStream" says:"ask for token counts in the stream"`
	// MaxTokensField is the name of the bound on the reply; empty sends none.
	MaxTokensField string `json:"maxTokensField" words:",max_tokens,max_completion_tokens" says:"the name of the bound on the reply"`
	// NameOnResults repeats the tool's name on its result.
	NameOnResults bool `json:"nameOnResults" says:"a tool's result names the tool"`
	// AssistantAfterResults puts a short assistant message between a tool's result and a
	// user's message.
	AssistantAfterResults bool `json:"assistantAfterResults" says:"an assistant message stands between results and the user's next words"`
	// StrictSchemas is what tools say of strictness; true makes every argument required
	// and lets the optional ones be null.
	StrictSchemas string `json:"strictSchemas" words:"omit,false,true" says:"what a tool's schema says of strictness"`
	// PlainContent sends every content as a string, never null and never as parts.
	PlainContent bool `json:"plainContent" says:"content is always a string"`
	// KeepEmptyAssistant sends an assistant message that has neither text nor calls; most
	// servers refuse one.
	KeepEmptyAssistant bool `json:"keepEmptyAssistant" says:"empty assistant messages are sent"`
	// IDAlphabet, IDMin and IDMax say which ids of calls the server takes; lengths in
	// characters.
	IDAlphabet string `json:"idAlphabet" words:"plain,word,alnum" says:"the characters of a call's id"`
	IDMin      int    `json:"idMin" says:"the shortest id of a call"`
	IDMax      int    `json:"idMax" says:"the longest id of a call"`
	// HistoryWithoutTools is what a request without tools does about a history with calls:
	// nothing, an empty list of tools, or the calls as text.
	HistoryWithoutTools string `json:"historyWithoutTools" words:"omit,empty,text" says:"what a request without tools does about earlier calls"`
	// CacheMarks sets cache_control on the system prompt and the newest messages.
	CacheMarks bool `json:"cacheMarks" says:"mark the prompt for the server's cache"`
	// ToolChoice is sent beside tools.
	ToolChoice string `json:"toolChoice" words:"omit,auto" says:"whether tool_choice is sent"`
	// Extra are further members of the request, as they are: sampling, routing. Members
	// that tenet writes itself are not taken.
	Extra map[string]json.RawMessage `json:"extra" says:"further members of the request"`
}

// DefaultSwitches are what most servers take.
func DefaultSwitches() Switches {
	return Switches{
		ThinkingFormat: "openai", ThinkingHistory: "drop", ThinkingSince: "turn", UsageInStream: true,
		StrictSchemas: "omit", IDAlphabet: "plain", IDMin: 1, IDMax: maxID, HistoryWithoutTools: "omit", ToolChoice: "omit",
	}
}

// Switch is one switch, for messages and pages.
type Switch struct {
	Name, Says string
	// Words are a text's only values; nil for other kinds.
	Words []string
}

// SwitchList lists every switch, in the order of Switches.
func SwitchList() []Switch {
	var out []Switch
	for f := range reflect.TypeFor[Switches]().Fields() {
		s := Switch{Name: f.Tag.Get("json"), Says: f.Tag.Get("says")}
		if words, ok := f.Tag.Lookup("words"); ok {
			s.Words = strings.Split(words, ",")
		}
		out = append(out, s)
	}
	return out
}

// Set gives one switch a value, as JSON. The error says what it should be; the
// switches are then as they were.
func (s *Switches) Set(name string, value json.RawMessage) error {
	list := SwitchList()
	at := slices.IndexFunc(list, func(w Switch) bool { return w.Name == name })
	if at < 0 {
		return &ConfigError{name, "there is no such switch"}
	}
	field := reflect.ValueOf(s).Elem().Field(at)
	fresh := reflect.New(field.Type())
	if json.Unmarshal(value, fresh.Interface()) != nil {
		return &ConfigError{name, "it should be " + kindOf(field.Type())}
	}
	if err := checkSwitch(list[at], fresh.Elem().Interface()); err != nil {
		return err
	}
	field.Set(fresh.Elem())
	return nil
}

// maxIDLength bounds the length of ids that a switch may ask for.
const maxIDLength = 256

func checkSwitch(w Switch, v any) error {
	switch x := v.(type) {
	case string:
		if w.Words != nil && !slices.Contains(w.Words, x) {
			return &ConfigError{w.Name, "it should be one of " + quotedWords(w.Words)}
		}
	case int:
		if x < 1 || x > maxIDLength {
			return &ConfigError{w.Name, "it should be a number of characters from 1 to 256"}
		}
	case map[string]json.RawMessage:
		for name := range x {
			if own[name] {
				return &ConfigError{w.Name, "tenet itself writes the member " + name + "; it cannot be set here"}
			}
		}
	}
	return nil
}

func quotedWords(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = `"` + w + `"`
	}
	return strings.Join(out, ", ")
}

func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a number"
	case reflect.Map:
		return "an object"
	}
	return "a string"
}
