package tui

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"tenet/core/call"
	"tenet/core/event"
)

// maxPicture bounds one picture: providers refuse larger ones.
const maxPicture = 5 << 20

// pictures reads the pictures of a message.
func pictures(paths []string) (out []event.Image, err error) {
	for _, p := range paths {
		img, err := picture(p)
		if err != nil {
			return nil, fmt.Errorf("the picture %s: %w", call.OneLine(p, 300), err)
		}
		out = append(out, img)
	}
	return out, nil
}

func picture(path string) (event.Image, error) {
	info, err := os.Stat(path)
	if err != nil {
		return event.Image{}, err
	}
	if !info.Mode().IsRegular() {
		return event.Image{}, fmt.Errorf("it is no regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return event.Image{}, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxPicture+1))
	if err != nil {
		return event.Image{}, err
	}
	media := http.DetectContentType(b)
	switch {
	case len(b) > maxPicture:
		return event.Image{}, fmt.Errorf("it has more than %d MiB, which providers refuse; make it smaller", maxPicture>>20)
	case !strings.HasPrefix(media, "image/"):
		return event.Image{}, fmt.Errorf("it is no picture (%s)", media)
	}
	return event.Image{Media: media, Data: b}, nil
}
