package settings

import (
	"fmt"

	"tenet/core/settings"
)

// Only reads one file as if it were all the settings there are, the user's: for those
// who ask what other rules would have said. A file that is not there is an error.
func Only(file, root string) (*Settings, error) {
	s := &Settings{disk: Disk{}, root: root, UserFile: file, Run: settings.DefaultRun(), Sources: map[string]string{}}
	s.look(file)
	if err := s.loadUser(Options{Root: root}); err != nil {
		return nil, err
	}
	if s.UserState != Loaded {
		return nil, fmt.Errorf("there is no settings file %s", file)
	}
	return s, nil
}
