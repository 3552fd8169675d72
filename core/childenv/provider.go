package childenv

// provider reports whether an upper-case name is one that a provider's client reads
// its credential from. A kernel keeps none of these, not even for an MCP server
// that names one: the server would get the key that pays for the model.
func provider(upper string) bool {
	switch upper {
	case "COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "HF_TOKEN",
		"ANTHROPIC_API_KEY", "ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN",
		"OPENAI_API_KEY", "AZURE_OPENAI_API_KEY", "PRIME_API_KEY", "DEEPSEEK_API_KEY",
		"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_API_KEY", "GROQ_API_KEY",
		"CEREBRAS_API_KEY", "XAI_API_KEY", "OPENROUTER_API_KEY", "AI_GATEWAY_API_KEY",
		"ZAI_API_KEY", "MISTRAL_API_KEY", "MINIMAX_API_KEY", "MINIMAX_CN_API_KEY",
		"MOONSHOT_API_KEY", "FIREWORKS_API_KEY", "OPENCODE_API_KEY", "KIMI_API_KEY",
		"CLOUDFLARE_API_KEY", "XIAOMI_API_KEY", "XIAOMI_CN_API_KEY",
		"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
		"AWS_BEARER_TOKEN_BEDROCK", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
		"AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_AUTHORIZATION_TOKEN",
		"AWS_WEB_IDENTITY_TOKEN_FILE":
		return true
	}
	return false
}
