#!/bin/sh
# slug TITLE...: print the title in lower case, words joined by single hyphens.

slug() {
	printf '%s' "$*" |
		tr '[:upper:]' '[:lower:]' |
		tr -c '[:alnum:]' '-'
}

slug "$@"
echo
