package docs

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	_ "image/gif"  // their sizes are read
	_ "image/jpeg" //
	_ "image/png"  //
	"io"
	"path/filepath"
	"strings"
)

// pictureHead bounds what is read of an image to find its size: an image of a camera
// has a preview and other data before it.
const pictureHead = 1 << 20

// picture is an image that a read names instead of showing it.
type picture struct {
	kind          string
	width, height int
	// fault says what is wrong with it.
	fault string
}

// format is a kind of image: how to know it, and how its size is found.
type format struct {
	kind  string
	known func(b []byte) bool
	size  func(b []byte) (width, height int)
	// cut reports whether the end of the image is missing; nil where that does not show.
	cut func(b []byte) bool
}

var formats = []format{
	{"PNG", starts("\x89PNG\r\n\x1a\n"), decoded, func(b []byte) bool { return !bytes.Contains(b, []byte("IEND")) }},
	{"JPEG", starts("\xff\xd8\xff"), decoded, nil},
	{"GIF", starts("GIF8"), decoded, func(b []byte) bool { return !bytes.HasSuffix(b, []byte{0x3b}) }},
	{"WebP", func(b []byte) bool { return len(b) >= 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP" }, webpSize,
		func(b []byte) bool { return int64(binary.LittleEndian.Uint32(b[4:]))+8 > int64(len(b)) }},
	{"BMP", func(b []byte) bool { return starts("BM")(b) && len(b) > 14 && b[6]|b[7]|b[8]|b[9] == 0 }, bmpSize, nil},
	{"TIFF", func(b []byte) bool { return starts("II*\x00")(b) || starts("MM\x00*")(b) }, tiffSize, nil},
	{"icon", func(b []byte) bool {
		return (starts("\x00\x00\x01\x00")(b) || starts("\x00\x00\x02\x00")(b)) && len(b) > 22 && b[5] == 0
	}, iconSize, nil},
	{"AVIF", brand("avif"), unknownSize, nil},
	{"HEIF", brand("heic"), unknownSize, nil},
}

func starts(magic string) func([]byte) bool {
	return func(b []byte) bool { return bytes.HasPrefix(b, []byte(magic)) }
}

func brand(name string) func([]byte) bool {
	return func(b []byte) bool { return len(b) >= 12 && string(b[4:12]) == "ftyp"+name }
}

// lookAt tells what image the bytes are. rest is what follows head in a large file, nil
// when head is all of it.
func lookAt(head []byte, rest io.Reader) (p picture, is bool) {
	for _, f := range formats {
		if !f.known(head) {
			continue
		}
		whole := rest == nil
		if !whole { // what cannot be read is missing, and is said to be
			more, _ := io.ReadAll(io.LimitReader(rest, pictureHead))
			head = append(bytes.Clone(head), more...)
		}
		p = picture{kind: f.kind}
		switch p.width, p.height = f.size(head); {
		case p.width < 0:
			p.width = 0
		case p.width == 0 || p.height == 0:
			p.fault = "its size cannot be read from it"
		case whole && f.cut != nil && f.cut(head):
			p.fault = "its end is missing"
		}
		return p, true
	}
	return picture{}, false
}

// says is the sentence that stands for the image.
func (p picture) says(name string, size int64) string {
	article := "a "
	if strings.ContainsAny(p.kind[:1], "Ai") {
		article = "an "
	}
	kind := article + p.kind + " image"
	if p.kind == "icon" {
		kind = "an icon"
	}
	text := fmt.Sprintf("[%s is %s", name, kind)
	if p.width > 0 && p.height > 0 {
		text += fmt.Sprintf(" of %d x %d pixels", p.width, p.height)
	}
	text += fmt.Sprintf(", %s; its picture is not shown", count(size, "byte"))
	if p.fault != "" {
		text += "; it is broken: " + p.fault
	}
	return text + ". Use bash to convert or inspect it]"
}

// namedPicture is the kind of image that a file's name tells of, or "".
func namedPicture(path string) string {
	switch ext := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), ".")); ext {
	case "png", "gif", "bmp", "tiff", "avif", "webp":
		return strings.ToUpper(ext)
	case "jpg", "jpeg":
		return "JPEG"
	case "tif":
		return "TIFF"
	case "ico":
		return "icon"
	case "heic", "heif":
		return "HEIF"
	}
	return ""
}

func decoded(b []byte) (width, height int) {
	c, _, err := image.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return 0, 0
	}
	return c.Width, c.Height
}

func unknownSize([]byte) (width, height int) { return -1, -1 }

// webpSize reads the size from whichever of the three kinds of first chunk is there.
func webpSize(b []byte) (width, height int) {
	if len(b) < 30 {
		return 0, 0
	}
	switch string(b[12:16]) {
	case "VP8X":
		return 1 + uint24(b[24:]), 1 + uint24(b[27:])
	case "VP8L":
		bits := int(binary.LittleEndian.Uint32(b[21:]))
		return 1 + bits&0x3fff, 1 + bits>>14&0x3fff
	case "VP8 ":
		return int(binary.LittleEndian.Uint16(b[26:]) & 0x3fff), int(binary.LittleEndian.Uint16(b[28:]) & 0x3fff)
	}
	return 0, 0
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// bmpSize reads both kinds of header; a negative height is an image stored from the top.
func bmpSize(b []byte) (width, height int) {
	if len(b) < 26 {
		return 0, 0
	}
	if binary.LittleEndian.Uint32(b[14:]) == 12 {
		return int(binary.LittleEndian.Uint16(b[18:])), int(binary.LittleEndian.Uint16(b[20:]))
	}
	width, height = int(int32(binary.LittleEndian.Uint32(b[18:]))), int(int32(binary.LittleEndian.Uint32(b[22:])))
	return max(width, 0), max(height, -height)
}

// iconSize is the size of the largest of an icon's images; 0 stands for 256.
func iconSize(b []byte) (width, height int) {
	for i := 6; i+16 <= len(b) && i < 6+16*int(b[4]); i += 16 {
		w, h := int(b[i]), int(b[i+1])
		if w == 0 {
			w = 256
		}
		if h == 0 {
			h = 256
		}
		width, height = max(width, w), max(height, h)
	}
	return width, height
}

// tiffSize looks for the two fields in the first directory.
func tiffSize(b []byte) (width, height int) {
	var order binary.ByteOrder = binary.LittleEndian
	if b[0] == 'M' {
		order = binary.BigEndian
	}
	if len(b) < 8 {
		return 0, 0
	}
	at := int64(order.Uint32(b[4:]))
	if at+2 > int64(len(b)) {
		return 0, 0
	}
	for n := order.Uint16(b[at:]); n > 0 && at+2+12 <= int64(len(b)); n-- {
		field := b[at+2:]
		value := int(order.Uint32(field[8:]))
		if order.Uint16(field[2:]) == 3 { // a short one
			value = int(order.Uint16(field[8:]))
		}
		switch order.Uint16(field) {
		case 256:
			width = value
		case 257:
			height = value
		}
		at += 12
	}
	return width, height
}
