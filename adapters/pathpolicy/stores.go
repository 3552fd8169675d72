package pathpolicy

import (
	"path/filepath"
	"strings"
)

// stores are the credential stores of other programs, from the home directory: first
// those of G1.4, then more of the same kind. A store is a file or directory whose purpose
// is to keep a secret: a key, a token, a password or a session. Settings that may hold
// one among other things, and histories, are none.
var stores = append([]string{
	".ssh", ".aws", ".azure", ".config/gcloud", ".config/gh", ".docker/config.json", ".kube", ".gnupg",
	".password-store", ".local/share/keyrings", ".netrc", ".git-credentials", ".npmrc", ".pypirc",
	".cargo/credentials", ".cargo/credentials.toml",
}, moreStores()...)

func moreStores() []string {
	return strings.Fields(`
		.pgpass .my.cnf .mylogin.cnf .authinfo .authinfo.gpg .netrc.gpg .fetchmailrc .msmtprc .smbcredentials
		.vault-token .terraform.d/credentials.tfrc.json .terraformrc .pulumi/credentials.json .databrickscfg .snowflake .oci .s3cfg .boto .kaggle/kaggle.json
		.config/git/credentials .config/hub .config/glab-cli .config/doctl .config/op .config/rclone .config/sops .config/age .config/helm/registry
		.config/containers/auth.json .dockercfg .fly/config.yml .cache/huggingface/token .huggingface/token .gem/credentials .local/share/gem/credentials
		.config/composer/auth.json .composer/auth.json .m2/settings.xml .m2/settings-security.xml .yarnrc.yml .config/ngrok .ngrok2 .cloudflared
		.subversion/auth .local/share/kwalletd .mozilla .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge
		.claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json .qwen/oauth_creds.json .local/share/opencode/auth.json .config/github-copilot
		Library/Keychains Library/Cookies Library/Mozilla`) // the last line is macOS's
}

// storeVars are the variables that move a store, each with what lies below the place it
// names; nothing for a place that is the store itself. The first three are those of
// G1.4. The value may be a list of places.
var storeVars = map[string][]string{
	"AWS_SHARED_CREDENTIALS_FILE": nil, "AWS_CONFIG_FILE": nil, "CLOUDSDK_CONFIG": nil,

	"GOOGLE_APPLICATION_CREDENTIALS": nil, "AZURE_CONFIG_DIR": nil, "KUBECONFIG": nil, "GH_CONFIG_DIR": nil,
	"NETRC": nil, "PGPASSFILE": nil, "PGSERVICEFILE": nil, "NPM_CONFIG_USERCONFIG": nil, "npm_config_userconfig": nil,
	"GNUPGHOME": nil, "PASSWORD_STORE_DIR": nil, "BOTO_CONFIG": nil, "OCI_CLI_CONFIG_FILE": nil, "RCLONE_CONFIG": nil,
	"TF_CLI_CONFIG_FILE": nil, "SOPS_AGE_KEY_FILE": nil, "DATABRICKS_CONFIG_FILE": nil, "REGISTRY_AUTH_FILE": nil, "HF_TOKEN_PATH": nil,

	"DOCKER_CONFIG": {"config.json"}, "CARGO_HOME": {"credentials", "credentials.toml"}, "HF_HOME": {"token"}, "COMPOSER_HOME": {"auth.json"},
	"CODEX_HOME": {"auth.json"}, "CLAUDE_CONFIG_DIR": {".credentials.json"},
	"XDG_CONFIG_HOME": below(".config/"), "XDG_DATA_HOME": below(".local/share/"), "XDG_CACHE_HOME": below(".cache/"),
}

// below is the stores in one of the home's directories, from there: a variable may move
// that directory elsewhere.
func below(dir string) []string {
	var out []string
	for _, s := range stores {
		if rest, ok := strings.CutPrefix(s, dir); ok {
			out = append(out, rest)
		}
	}
	return out
}

// moved is the places that a store has by its variable. Some programs take a list.
func moved(value string, below []string) []string {
	var out []string
	for _, place := range filepath.SplitList(value) {
		switch {
		case place == "":
		case below == nil:
			out = append(out, place)
		default:
			for _, b := range below {
				out = append(out, filepath.Join(place, b))
			}
		}
	}
	return out
}
