package docs

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
)

// drawn is an image of 3 x 2 pixels in each kind that the library writes.
func drawn(t *testing.T) map[string]string {
	m := image.NewPaletted(image.Rect(0, 0, 3, 2), color.Palette{color.Black, color.White})
	out := map[string]string{}
	for name, encode := range map[string]func(*bytes.Buffer) error{
		"PNG":  func(b *bytes.Buffer) error { return png.Encode(b, m) },
		"JPEG": func(b *bytes.Buffer) error { return jpeg.Encode(b, m, nil) },
		"GIF":  func(b *bytes.Buffer) error { return gif.Encode(b, m, nil) },
	} {
		var b bytes.Buffer
		if err := encode(&b); err != nil {
			t.Fatal(err)
		}
		out[name] = b.String()
	}
	return out
}

// le joins strings and numbers: a number of type uint16 or uint32 lies there with its
// low byte first.
func le(parts ...any) string {
	var b []byte
	for _, p := range parts {
		switch v := p.(type) {
		case string:
			b = append(b, v...)
		case uint16:
			b = binary.LittleEndian.AppendUint16(b, v)
		case uint32:
			b = binary.LittleEndian.AppendUint32(b, v)
		}
	}
	return string(b)
}

// An image is named with its kind, its size and its pixels; a broken one says so.
func TestReadNamesImages(t *testing.T) {
	r := newRig(t)
	files := drawn(t)
	pad := strings.Repeat("\xff\x00", 20)
	files["WebP"] = le("RIFF", uint32(22), "WEBP", "VP8X", uint32(10), uint32(0), "\x02\x00\x00", "\x01\x00\x00")
	files["WebP lossless"] = le("RIFF", uint32(22), "WEBP", "VP8L", uint32(10), "\x2f", uint32(2|1<<14), "\xff\xff\xff\xff\xff")
	files["WebP lossy"] = le("RIFF", uint32(22), "WEBP", "VP8 ", uint32(10), "\x9d\x01\x2a\x9d\x01\x2a", uint16(3), uint16(2))
	files["BMP"] = le("BM", uint32(60), uint32(0), uint32(54), uint32(40), uint32(3), uint32(2), pad)
	files["BMP from the top"] = le("BM", uint32(60), uint32(0), uint32(54), uint32(40), uint32(3), uint32(1<<32-2), pad)
	files["BMP of old"] = le("BM", uint32(60), uint32(0), uint32(26), uint32(12), uint16(3), uint16(2), pad)
	files["TIFF"] = le("II*\x00", uint32(8), uint16(2), uint16(256), uint16(3), uint32(1), uint32(3), uint16(257), uint16(4), uint32(1), uint32(2), pad)
	files["icon"] = le("\x00\x00\x01\x00\x02\x00", "\x01\x01", pad[:14], "\x03\x02", pad[:14], pad)
	for name, file := range files {
		r.put("f", file)
		kind, _, _ := strings.Cut(name, " ")
		holds(t, r.ok("read", "path", "f"), kind, " of 3 x 2 pixels, ", "bytes; its picture is not shown")
		if strings.Contains(r.ok("read", "path", "f"), "broken") {
			t.Errorf("%s is broken", name)
		}
	}
	r.put("f", "\x00\x00\x00\x1cftypavif"+pad)
	holds(t, r.ok("read", "path", "f"), "an AVIF image, 52 bytes")
	png := files["PNG"]
	for _, cut := range []string{png[:len(png)-9], files["GIF"][:20], le("RIFF", uint32(23), files["WebP"][8:])} {
		r.put("f", cut)
		holds(t, r.ok("read", "path", "f"), "broken: its end is missing")
	}
	r.put("f.jpg", files["JPEG"][:8])
	holds(t, r.ok("read", "path", "f.jpg"), "a JPEG image, 8 bytes", "broken: its size cannot be read from it")
	r.put("f.png", pad)
	r.fails("read", []any{"path", "f.png"}, "not the PNG image that its name tells of", "f.png:raw")
	r.put("f.svg", "<svg/>\n")
	holds(t, r.ok("read", "path", "f.svg"), "1:<svg/>\n")
	r.put("f.png", "")
	holds(t, r.ok("read", "path", "f.png"), "empty file")
}

// A large image is not taken whole: its head tells its size.
func TestReadNamesALargeImage(t *testing.T) {
	r := newRig(t)
	r.put("f", drawn(t)["PNG"]+strings.Repeat("\xff", SnapshotBytes))
	holds(t, r.ok("read", "path", "f"), "a PNG image of 3 x 2 pixels, 4194", "bytes")
	r.fails("write", []any{"path", "f", "content", "x"}, "nothing was written")
}

// No bytes make the reading of a size fail.
func FuzzPicture(f *testing.F) {
	f.Add([]byte("II*\x00\x08\x00\x00\x00\xff\xff"))
	f.Add([]byte("RIFF\x00\x00\x00\x00WEBPVP8X"))
	f.Add([]byte("\x00\x00\x01\x00\xff\x00" + strings.Repeat("\x00", 20)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, is := lookAt(b, nil); is && (p.width < 0 || p.height < 0) {
			t.Errorf("%+v", p)
		}
	})
}
