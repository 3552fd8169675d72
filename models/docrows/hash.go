package docrows

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// The constants of xxHash, 64 bits wide.
const (
	prime1 uint64 = 11400714785074694791
	prime2 uint64 = 14029467366897019727
	prime3 uint64 = 1609587929392839161
	prime4 uint64 = 9650029242287828579
	prime5 uint64 = 2870177450012600261
)

// Tag is the low 16 bits of the file's xxHash64 as four digits, worked out by its
// published definition.
func Tag(file string) string { return fmt.Sprintf("%04X", hash([]byte(file))&0xffff) }

func hash(b []byte) uint64 {
	total, h := uint64(len(b)), prime5
	if len(b) >= 32 {
		h, b = lanes(b)
	}
	h += total
	for ; len(b) >= 8; b = b[8:] {
		h = bits.RotateLeft64(h^round(0, binary.LittleEndian.Uint64(b)), 27)*prime1 + prime4
	}
	if len(b) >= 4 {
		h = bits.RotateLeft64(h^uint64(binary.LittleEndian.Uint32(b))*prime1, 23)*prime2 + prime3
		b = b[4:]
	}
	for _, c := range b {
		h = bits.RotateLeft64(h^uint64(c)*prime5, 11) * prime1
	}
	h = (h ^ h>>33) * prime2
	h = (h ^ h>>29) * prime3
	return h ^ h>>32
}

// lanes takes stripes of 32 bytes in four sums.
func lanes(b []byte) (h uint64, rest []byte) {
	p1, p2 := prime1, prime2 // the sums overflow, as they are meant to
	v := [4]uint64{p1 + p2, p2, 0, -p1}
	for ; len(b) >= 32; b = b[32:] {
		for i := range v {
			v[i] = round(v[i], binary.LittleEndian.Uint64(b[8*i:]))
		}
	}
	for i, r := range []int{1, 7, 12, 18} {
		h += bits.RotateLeft64(v[i], r)
	}
	for _, lane := range v {
		h = (h^round(0, lane))*prime1 + prime4
	}
	return h, b
}

func round(sum, lane uint64) uint64 { return bits.RotateLeft64(sum+lane*prime2, 31) * prime1 }
