// Recorded streams of real providers, for the tests of adapters/provider. They come
// from the module charm.land/fantasy (Apache-2.0; providertests/testdata, go-vcr
// cassettes) and are read from the module cache, never copied here.
//
// No package here imports it, so `go mod tidy` would drop the line below: use
// `make cassettes` (go mod download in this folder) and edit by hand.
module tenet/testdata/cassettes

go 1.26.6

require charm.land/fantasy v0.41.2
