package bridge

import "testing"

// TestSurfaceModel builds every small declaration and judges what would be sent.
func TestSurfaceModel(t *testing.T) {
	if _, err := surfaceArea().Exhaust(); err != nil {
		t.Fatal(err)
	}
}
