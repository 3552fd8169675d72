package recovery

// Markup is a family of markup in which models write tool calls when their server's
// parser does not take them out of the text.
type Markup string

// The families.
const (
	NoMarkup Markup = ""
	Hermes   Markup = "hermes"   // <tool_call>{"name":"x","arguments":{}}</tool_call>
	Qwen3    Markup = "qwen3"    // <function=x><parameter=k>v</parameter></function>
	QwenXML  Markup = "qwen-xml" // <tool_calls><x k="v"/></tool_calls>
	Kimi     Markup = "kimi"     // <|tool_call_begin|>functions.x:0<|tool_call_argument_begin|>{}<|tool_call_end|>
	DSML     Markup = "dsml"     // full-width bars of DeepSeek
)
