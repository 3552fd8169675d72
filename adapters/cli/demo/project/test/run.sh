#!/bin/sh
# Runs every case; exits 1 when one fails.

failed=0

check() {
	got=$(sh src/slug.sh "$1")
	if [ "$got" = "$2" ]; then
		echo "ok    $1"
	else
		echo "FAIL  $1: got '$got', want '$2'"
		failed=$((failed + 1))
	fi
}

check "Hello" "hello"
check "Hello World" "hello-world"
check "Hello, World!" "hello-world"
check "  spaces   everywhere  " "spaces-everywhere"
check "C is not C++" "c-is-not-c"

echo "$failed failed"
[ "$failed" -eq 0 ]
