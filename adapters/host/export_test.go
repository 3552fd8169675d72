package host

// Fresh forgets the paths that a host knows.
func Fresh(h *Host) *Host {
	h.names = names{}
	return h
}
