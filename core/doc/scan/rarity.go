package scan

// commonBytes are the bytes of source code and prose from the most common on.
const commonBytes = " etaoinsrlcdpumfgh\n\t(),.\"=_:;/-*{}yb0v1wATSEkxCRIDPNMF2[]<>LO3B'UG45qV678zHWKj9YXQZJ&|!+@#$%?\\`~^"

// share is how often a byte is estimated to stand in text, as a part of all bytes.
var share = func() (s [256]float64) {
	for i := range s {
		s[i] = 0.0002
	}
	for i := range len(commonBytes) {
		s[commonBytes[i]] = 0.14 / (1 + 0.7*float64(i))
	}
	return s
}()

// foldShare is the share of a byte in either case.
func foldShare(c byte) float64 {
	if lower(c) != c || upper(c) != c {
		return share[lower(c)] + share[upper(c)]
	}
	return share[c]
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		c -= 'a' - 'A'
	}
	return c
}
